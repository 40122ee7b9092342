import { adapterConformance } from "./adapter-conformance";
import { anthropic } from "./anthropic";

adapterConformance("anthropic-messages", anthropic);
