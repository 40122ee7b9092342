import { adapterConformance } from "./adapter-conformance";
import { openAiChat } from "./openai-chat";

adapterConformance("openai-chat", openAiChat);
