import { afterEach, describe, expect, it } from "vitest";
import { CLIENT_TYPES, type ClientType } from "../../lib/model/protocol";
import type { CompletePayload } from "../../lib/omni/message";
import { createLlm } from "./adapters";
import { movedEndpoint, withoutFidelity } from "./endpoint";
import { collect, request } from "./fixtures/collect";
import { startVendor, type Vendor } from "./testing/vendor";

const vendors: Vendor[] = [];
afterEach(async () => {
  await Promise.all(vendors.splice(0).map((vendor) => vendor.close()));
});

const said = (text: string): CompletePayload => ({ type: "text", role: "user", text });
const MODELS: Record<ClientType, string> = {
  "openai-chat": "m",
  "openai-responses": "m",
  // Told by a budget: that form of thinking checks where an assistant message begins.
  "anthropic-messages": "claude-haiku-4-5",
  gemini: "gemini-3-pro",
};

describe("RS8, TH11: a model that moved to another endpoint", () => {
  it("is told by the host that the Session's meta holds", () => {
    expect(movedEndpoint("a.test", "https://a.test/v1")).toBeNull();
    expect(movedEndpoint(undefined, "https://b.test/v1")).toBeNull();
    expect(movedEndpoint("a.test", undefined)).toBeNull();
    expect(movedEndpoint("a.test", "https://b.test/v1")).toEqual({ from: "a.test", to: "b.test" });
    expect(movedEndpoint("a.test:1", "http://a.test:2/v1")).toEqual({ from: "a.test:1", to: "a.test:2" });
  });

  it.each(CLIENT_TYPES)(
    "TH11 %s: no blob goes there, the request stays legal, also within a tool loop",
    async (client_type) => {
      const vendor = await startVendor(client_type);
      vendors.push(vendor);
      const model = {
        provider: "p",
        model_id: MODELS[client_type],
        client_type,
        base_url: vendor.baseUrl,
        api_key: "k-1234",
      };
      const asked = { tools: [], thinking_level: "high" as const, idle_timeout_ms: 30_000 };
      const history = [said("go")];
      const call = { call: { id: "c1", name: "exec_command", args: '{"cmd":"ls"}' } };
      vendor.say([{ thinking: "deep" }, { hidden: "dark" }, { text: "first" }, call]);
      const { messages } = await collect(createLlm(model), request({ ...asked, history }));
      const id = messages.find((m) => m.type === "tool_call")?.tool_call_id ?? "";
      history.push(...messages, { type: "tool_call_output", role: "user", output: "a.txt", tool_call_id: id });
      vendor.say([{ text: "ok" }]);
      let told = 0;
      const moved = withoutFidelity(createLlm(model), () => (told += 1));
      expect((await collect(moved, request({ ...asked, history }))).outcome).toEqual({ status: "completed" });
      expect(vendor.violations).toEqual([]);
      const seals = messages.flatMap((m) => ("fidelity" in m ? Object.values(m.fidelity ?? {}) : []));
      const blobs = seals.filter((x) => typeof x === "string" && x.length > 12 && x !== "reasoning_content");
      for (const blob of blobs) expect(vendor.sent.at(-1)?.raw).not.toContain(blob);
      expect(told).toBe(messages.some((m) => "fidelity" in m) ? 1 : 0);
    },
  );
});
