import { adapterConformance } from "./adapter-conformance";
import { openAiResponses } from "./openai-responses";

adapterConformance("openai-responses", openAiResponses);
