import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { detectEndpoint } from "./detect";

const KEY = "sk-marker-0123456789";
const ELSEWHERE = `https://elsewhere.test/?key=${KEY}`;
type Routes = Record<
  string,
  (headers: Record<string, string | string[] | undefined>) => [status: number, body: unknown]
>;

let server: Server | undefined;
const asked: string[] = [];
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  asked.length = 0;
});

/** An endpoint that knows these routes; everything else is 404 in HTML. */
async function endpointWith(routes: Routes): Promise<string> {
  server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    asked.push(`${request.method} ${path}`);
    const [status, body] = routes[`${request.method} ${path}`]?.(request.headers) ?? [404, "<html>Not found</html>"];
    if (status === 302) response.setHeader("location", ELSEWHERE);
    response.writeHead(status, { "content-type": typeof body === "string" ? "text/html" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

const openAiList = {
  object: "list",
  data: [
    { id: "b", object: "model" },
    { id: "a", max_model_len: 4096 },
  ],
};
const anthropicList = {
  data: [{ type: "model", id: "claude-x", display_name: "Claude X", max_input_tokens: 200_000, max_tokens: 64_000 }],
  has_more: false,
};
const geminiList = {
  models: [
    { name: "models/gem", displayName: "Gem", inputTokenLimit: 1000, supportedGenerationMethods: ["generateContent"] },
    { name: "models/embed", supportedGenerationMethods: ["embedContent"] },
  ],
};
const openAiRefusal = { error: { message: "you must provide a model parameter", type: "invalid_request_error" } };

it("AC3 an endpoint that names its models after the key it was sent gets none of it through", async () => {
  const data = [
    { id: `m-${KEY}`, display_name: KEY, object: "model" },
    { id: "plain", name: `of ${KEY}` },
  ];
  const url = await endpointWith({ "GET /v1/models": () => [200, { object: "list", data }] });
  const result = await detectEndpoint(`${url}/v1`, KEY);
  expect(JSON.stringify(result)).not.toContain(KEY);
  expect(result.found[0]?.models).toEqual([
    { id: "m-[key]", display_name: "[key]" },
    { id: "plain", display_name: "of [key]" },
  ]);
});

describe("detection of the protocol", () => {
  it("chat completions by its list of models; nothing that costs is sent", async () => {
    const url = await endpointWith({ "GET /v1/models": () => [200, openAiList] });
    const result = await detectEndpoint(`${url}/v1/chat/completions`, KEY);
    expect(result).toEqual({
      needs_key: false,
      found: [
        {
          client_type: "openai-chat",
          base_url: `${url}/v1`,
          models: [{ id: "a", context_window: 4096 }, { id: "b" }],
        },
      ],
    });
    expect(asked.filter((line) => line.startsWith("POST") && !line.endsWith("/responses"))).toEqual([]);
  });

  it("the Responses API by how it refuses an empty request", async () => {
    const url = await endpointWith({
      "GET /v1/models": () => [200, openAiList],
      "POST /v1/responses": () => [400, openAiRefusal],
    });
    const types = (result: { found: { client_type: string }[] }) => result.found.map((one) => one.client_type);
    expect(types(await detectEndpoint(url))).toEqual(["openai-chat", "openai-responses"]);
    expect(types(await detectEndpoint(`${url}/v1/responses`))).toEqual(["openai-responses", "openai-chat"]);
  });

  it("Anthropic and Gemini by their lists, whatever was pasted", async () => {
    const url = await endpointWith({
      "GET /v1/models": ({ "x-api-key": key }) =>
        key === KEY
          ? [200, anthropicList]
          : [401, { type: "error", error: { type: "authentication_error", message: "x-api-key is required" } }],
    });
    const found = (await detectEndpoint(`${url}/v1/messages`, KEY)).found;
    expect(found).toEqual([
      {
        client_type: "anthropic-messages",
        base_url: url,
        models: [{ id: "claude-x", display_name: "Claude X", context_window: 200_000, max_tokens: 64_000 }],
      },
    ]);
    server?.close();
    const gemini = await endpointWith({ "GET /v1beta/models": () => [200, geminiList] });
    expect((await detectEndpoint(`${gemini}/v1beta`, KEY)).found).toEqual([
      { client_type: "gemini", base_url: gemini, models: [{ id: "gem", display_name: "Gem", context_window: 1000 }] },
    ]);
  });

  it.each([
    [
      "anthropic-messages",
      "/v1/models",
      401,
      { type: "error", error: { type: "authentication_error", message: "no" } },
    ],
    ["gemini", "/v1beta/models", 403, { error: { code: 403, message: "no", status: "PERMISSION_DENIED" } }],
    ["openai-chat", "/v1/models", 401, { error: { message: "no", type: "invalid_request_error", code: "bad" } }],
  ])("%s is recognised by its refusal when the key is missing", async (type, path, status, body) => {
    const url = await endpointWith({ [`GET ${path}`]: () => [status, body] });
    const result = await detectEndpoint(url);
    expect(result).toMatchObject({ needs_key: true, found: [{ client_type: type, models: [] }] });
    expect(result.message).toContain("no");
  });

  it("an endpoint without any list by the shape of its refusals", async () => {
    const url = await endpointWith({
      "POST /v1/messages": () => [
        400,
        { type: "error", error: { type: "invalid_request_error", message: "model: x" } },
      ],
    });
    expect((await detectEndpoint(url)).found).toEqual([
      { client_type: "anthropic-messages", base_url: url, models: [] },
    ]);
  });

  it("says what is wrong, and never repeats the key", async () => {
    const url = await endpointWith({
      "GET /v1/models": ({ authorization }) => [401, { error: { message: `Incorrect key ${authorization}` } }],
    });
    const result = await detectEndpoint(url, KEY);
    expect(result.message).toContain("Incorrect key");
    expect(JSON.stringify(result)).not.toContain(KEY);
    server?.close();
    expect(await detectEndpoint("file:///etc/passwd")).toMatchObject({
      found: [],
      message: expect.stringMatching(/http/),
    });
    const html = await endpointWith({});
    expect(await detectEndpoint(html)).toMatchObject({ found: [], message: expect.stringMatching(/not with a list/) });
    server?.closeAllConnections();
    server?.close();
    const refused = await detectEndpoint("http://127.0.0.1:1/v1", KEY);
    expect(refused).toMatchObject({ found: [], message: expect.stringMatching(/could not be reached/) });
  });

  it("follows no redirect", async () => {
    const url = await endpointWith({ "GET /v1/models": () => [302, ""] });
    const result = await detectEndpoint(url, KEY);
    expect(result).toMatchObject({ found: [], message: "The address redirects to https://elsewhere.test." });
  });

  it("reads what gateways and local servers add to a list", async () => {
    const url = await endpointWith({
      "GET /v1/models": () => [
        200,
        {
          data: [
            {
              id: "v/m",
              name: "M",
              context_length: 1_048_576,
              architecture: { input_modalities: ["text", "image"] },
              top_provider: { max_completion_tokens: 65_536 },
              pricing: { prompt: "0.000001", completion: "0.000002", input_cache_read: "0.0000001" },
            },
            { id: "embed", type: "embeddings" },
            { id: "varies", pricing: { prompt: "-1", completion: "-1" } },
            { id: "llama", meta: { n_ctx_train: 8192 } },
          ],
        },
      ],
    });
    expect((await detectEndpoint(url)).found[0]?.models).toEqual([
      { id: "llama", context_window: 8192 },
      {
        id: "v/m",
        display_name: "M",
        context_window: 1_048_576,
        max_tokens: 65_536,
        vision: true,
        pricing: { cache_read: 0.1, cache_write: 1, output: 2 },
      },
      { id: "varies" },
    ]);
  });
});
