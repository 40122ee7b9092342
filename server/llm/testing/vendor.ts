/**
 * A fake vendor of any protocol on loopback, for unit and browser tests. It answers what a test put in, keeps what it
 * was sent, and refuses with 400 what a strict vendor refuses; that is remembered in `violations` too.
 *
 *   const vendor = await startVendor("anthropic-messages");
 *   vendor.say([{ thinking: "hm" }, { text: "hello" }], { fresh: 3, cached: 13_216, created: 25, output: 12 });
 *   … base URL: vendor.baseUrl …
 *   await vendor.close();
 */

import { type FakeProvider, startFakeProvider } from "../fixtures/fake-provider";
import type { ClientType } from "../model-config";
import { anthropicWire } from "./anthropic";
import { chatWire } from "./chat";
import { geminiWire } from "./gemini";
import { responsesWire } from "./responses";
import type { Wire, WireError, WirePart, WireUsage } from "./wire";

export const WIRES: Record<ClientType, Wire> = {
  "openai-chat": chatWire,
  "openai-responses": responsesWire,
  "anthropic-messages": anthropicWire,
  gemini: geminiWire,
};

export interface Vendor extends Omit<FakeProvider, "url"> {
  wire: Wire;
  /** What a person types as base URL. */
  baseUrl: string;
  /** The next answer, after those that were put in before; the last one repeats. */
  say(parts: WirePart[], usage?: WireUsage): void;
  /** The same with a failure. */
  fail(status: number, kind: WireError, message: string, headers?: Record<string, string>): void;
}

const JSON_TYPE = { "content-type": "application/json" };

/** `models`: what the list of models answers. `port` 0: any free one. */
export async function startVendor(
  protocol: ClientType,
  { models = ["model-a", "model-b"], port = 0 }: { models?: string[]; port?: number } = {},
): Promise<Vendor> {
  const wire = WIRES[protocol];
  const fake = await startFakeProvider({
    port,
    illegal: (body, headers, path) => wire.illegal(body, headers, path),
    refusal: (words) => ({ status: 400, headers: JSON_TYPE, body: wire.error("refused", words) }),
    get: (path) => (/\/models$/.test(path) ? { headers: JSON_TYPE, body: wire.models(models) } : null),
    asks: (path) => wire.asks(path),
  });
  const { origin } = new URL(fake.url);
  const bare = protocol === "anthropic-messages" || protocol === "gemini";
  return {
    ...fake,
    wire,
    baseUrl: bare ? origin : `${origin}/v1`,
    say: (parts, usage) => fake.push({ body: wire.answer(parts, "stop", usage) }),
    fail: (status, kind, message, headers) =>
      fake.push({ status, headers: { ...JSON_TYPE, ...headers }, body: wire.error(kind, message) }),
  };
}
