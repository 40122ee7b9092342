import { afterEach, describe, expect, it } from "vitest";
import { createLlm } from "./adapters";
import { collect, request } from "./fixtures/collect";
import { startVendor, type Vendor } from "./testing/vendor";

let vendor: Vendor | undefined;
afterEach(() => vendor?.close());

describe("Gemini: the model id in the path", () => {
  it.each([
    ["gemini-3-pro", "models/gemini-3-pro"],
    ["models/gemini-3-pro", "models/gemini-3-pro"],
    ["tunedModels/mine-42", "tunedModels/mine-42"],
    ["%2e%2e/x", "models/%252e%252e%2Fx"],
    ["a/b:generateContent#", "models/a%2Fb%3AgenerateContent%23"],
    ["m?key=x&y", "models/m%3Fkey%3Dx%26y"],
    ["models/a\\b", "models/a%5Cb"],
  ])("AC3 %s names a model and nothing else", async (model_id, path) => {
    vendor = await startVendor("gemini");
    vendor.say([{ text: "hello" }]);
    await collect(createLlm({ provider: "p", model_id, client_type: "gemini", base_url: vendor.baseUrl }), request());
    expect(vendor.sent.map((sent) => sent.path.split("?")[0])).toEqual([`/v1beta/${path}:streamGenerateContent`]);
  });

  it.each(["..", "models/../x", "../../v1/other", "tunedModels/", "\ud800"])(
    "%j is refused with what to do, and nothing is sent",
    async (model_id) => {
      vendor = await startVendor("gemini");
      const model = { provider: "p", model_id, client_type: "gemini" as const, base_url: vendor.baseUrl };
      const { outcome } = await collect(createLlm(model), request());
      expect(outcome).toMatchObject({
        status: "failed",
        refused: true,
        error_message: expect.stringMatching(/model id/),
      });
      expect(vendor.sent).toEqual([]);
    },
  );
});
