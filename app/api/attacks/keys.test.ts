/**
 * Attacks on keys and on the network behind the server (docs/attacks.md). A provider of the attacker's own notes every
 * request that reaches it.
 */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { AttackedServer } from "../testing/attack";

const OPERATORS = "sk-operator-0123456789";
const STORED = "sk-stored-by-somebody-42";
const P = "/api/projects/alpha/models";

let server: AttackedServer;
let attackers: Server;
let port = 0;
const heard: { url: string; headers: IncomingHttpHeaders }[] = [];
const kept = { ...process.env };

beforeAll(async () => {
  // What a command must not find in its environment.
  process.env.PENGUIN_ADMIN_PASSWORD = OPERATORS;
  process.env.DEEPSEEK_API_KEY = OPERATORS;
  server = await AttackedServer.start({
    env: { NODE_ENV: "test", DEEPSEEK_API_KEY: OPERATORS, OPENAI_API_KEY: OPERATORS, ANTHROPIC_API_KEY: OPERATORS },
  });
  attackers = createServer((request, response) => {
    heard.push({ url: request.url ?? "", headers: request.headers });
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
  });
  await new Promise<void>((resolve) => attackers.listen(0, "127.0.0.1", resolve));
  const address = attackers.address();
  if (address && typeof address === "object") port = address.port;
});
afterAll(async () => {
  for (const name of ["PENGUIN_ADMIN_PASSWORD", "DEEPSEEK_API_KEY"]) {
    if (kept[name] === undefined) delete process.env[name];
    else process.env[name] = kept[name];
  }
  attackers.closeAllConnections();
  attackers.close();
  await server.stop();
});
beforeEach(() => {
  heard.length = 0;
});

const allow = (private_addresses: boolean, env_keys: boolean) =>
  server.api.made.allowances.set("alpha", { env_keys, private_addresses, workspace_roots: [server.workspace] });
const post = (what: string, body: unknown) => server.api.call(server.ann, "POST", `${P}/${what}`, body);
const put = (...models: unknown[]) => server.api.call(server.ann, "PUT", P, { models });

it("AT06 the operator's key goes to no host of somebody else's, whatever an entry calls itself; a stored key not to a changed host", async () => {
  await allow(true, true);
  const foreign = `http://127.0.0.1:${port}`;
  const models = [
    { provider: "deepseek", model_id: "deepseek-v4", base_url: `${foreign}/v1` },
    { provider: "openai", model_id: "gpt", client_type: "openai-responses", base_url: `${foreign}/v1` },
    { provider: "anthropic", model_id: "claude", client_type: "anthropic-messages", base_url: foreign },
    {
      provider: "anthropic",
      model_id: "claude-2",
      client_type: "anthropic-messages",
      base_url: `${foreign}/api.anthropic.com`,
    },
    { provider: "openai", model_id: "gpt-2", base_url: `http://api.openai.com@127.0.0.1:${port}/v1` },
  ];
  expect((await put(...models)).status).toBeLessThan(500);
  for (const model of models) {
    await post("test", model);
    await post("detect", { base_url: model.base_url, provider: model.provider });
    const resolved = await server.api.made.models.resolve("alpha", model.provider, model.model_id);
    expect(resolved?.api_key).not.toBe(OPERATORS);
  }
  const stored = { provider: "gate", model_id: "m", base_url: "https://203.0.113.7/v1" };
  expect((await put({ ...stored, api_key: STORED })).status).toBe(200);
  const moved = { ...stored, base_url: `${foreign}/v1` };
  for (const body of [moved, { ...moved, key_from: { provider: "gate", model_id: "m" } }]) await post("test", body);
  await post("detect", { base_url: moved.base_url, provider: "gate" });
  expect((await put(moved)).status).toBe(200);
  await post("test", moved);
  expect((await server.api.made.models.resolve("alpha", "gate", "m"))?.api_key).toBeUndefined();
  expect(heard.length).toBeGreaterThan(5);
  expect(JSON.stringify(heard)).not.toMatch(/operator|stored-by/);
});

it("AT07 nothing behind the server is reached by model tests, detection or pictures, however its address is spelt", async () => {
  await allow(false, false);
  const hosts = [
    "127.0.0.1",
    "localhost",
    "localhost.",
    "127.1",
    "0.0.0.0",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "①②⑦.⓪.⓪.①",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "example.com@127.0.0.1",
  ];
  const addresses = [
    ...hosts.map((host) => `http://${host}:${port}`),
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1",
    "http://[fd00::1]",
    "file:///etc/passwd",
    "gopher://127.0.0.1",
    `http:\\\\127.0.0.1:${port}`,
  ];
  for (const base_url of addresses) {
    const model = { provider: "x", model_id: "m", base_url, api_key: "sk-of-the-attacker" };
    // A name that leads nowhere may be kept: it is looked up anew at every use.
    expect((await put(model)).status, base_url).toBeLessThan(500);
    for (const { status, text } of [await post("test", model), await post("detect", { base_url })]) {
      // A test that cannot be made is an answer too.
      const refused = [400, 403].includes(status) || /^{"(ok":false|found":\[\])/.test(text);
      expect(refused, `${base_url}: ${status} ${text}`).toBe(true);
    }
  }
  expect((await put({ provider: "p", model_id: "m", base_url: "https://203.0.113.9/v1" })).status).toBe(200);
  const outputs = await server.tools(
    addresses.map((address) => ({ name: "read_image", args: { path: `${address.replace("/latest", "")}/x.png` } })),
  );
  for (const [i, { stop_reason }] of outputs.entries()) expect(stop_reason, addresses[i]).toBe("failed");
  // A preview that the server would have to fetch does not exist: a picture of a message comes as its bytes.
  const input = [{ type: "image", data_url: `http://127.0.0.1:${port}/x.png` }];
  expect((await server.api.call(server.bob, "POST", `${server.session}/tasks`, { input })).status).toBe(400);
  expect(heard).toEqual([]);
});

it("AT04 a command finds no key in its environment, nor in that of the process that started it", async () => {
  const cmd = "env; cat /proc/self/environ /proc/$PPID/environ | tr '\\0' '\\n'";
  const [{ output } = { output: "" }] = await server.tools([{ name: "exec_command", args: { description: "d", cmd } }]);
  expect(output).toContain("PATH=");
  expect(output).not.toMatch(/sk-operator|PENGUIN_|_API_KEY|SECRET/);
});

it("AC4 a Project that demands isolation runs no command where that cannot be had; who may see it is told why", async () => {
  const url = "/api/projects/alpha/isolation";
  expect((await server.api.call(server.bob, "GET", url)).body).toEqual({
    required: false,
    network: "isolated",
    isolated: false,
    effective_network: "host",
    problem: "switched_off",
  });
  const body = { required: true, network: "off" };
  expect((await server.api.call(server.ann, "PUT", url, body)).body).toMatchObject(body);
  const order = { name: "exec_command", args: { description: "d", cmd: "touch made" } };
  const [refused] = await server.tools([order]);
  expect(refused?.output).toMatch(
    /^Tool call denied by policy\. This Project runs commands only where they are isolated/,
  );
  const messages = await server.api.call(server.bob, "GET", `${server.session}/messages`);
  expect(messages.text).toContain('"by":"policy:isolation-required"');
});
