/** Model servers on this machine's loopback, at the ports they use unless told otherwise. */
import type { LocalServer } from "../../lib/api/schemas";
import { detectEndpoint } from "./detect";

export interface LocalPort {
  name: string;
  port: number;
}

export const LOCAL_PORTS: readonly LocalPort[] = [
  { name: "Ollama", port: 11434 },
  { name: "LM Studio", port: 1234 },
  { name: "vLLM", port: 8000 },
  { name: "llama.cpp", port: 8080 },
];

/** Loopback answers at once or not at all. Milliseconds. */
const TIMEOUT_MS = 1_500;

/** Those that answer with a list of models. Sends no key. Never throws. */
export async function findLocalServers(ports: readonly LocalPort[] = LOCAL_PORTS): Promise<LocalServer[]> {
  const found = await Promise.all(
    ports.map(async ({ name, port }): Promise<LocalServer[]> => {
      const { found } = await detectEndpoint(`http://127.0.0.1:${port}`, undefined, { timeout_ms: TIMEOUT_MS });
      // Of several protocols the one that every such server was built for.
      const best = found.find(({ client_type }) => client_type === "openai-chat") ?? found[0];
      return best && best.models.length > 0 ? [{ name, ...best }] : [];
    }),
  );
  return found.flat();
}
