import { adapterConformance } from "./adapter-conformance";
import { gemini } from "./gemini";

adapterConformance("gemini", gemini);
