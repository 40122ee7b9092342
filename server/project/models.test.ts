import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelEntryBody } from "../../lib/api/model-bodies";
import { isPrivateAddress } from "../net/addresses";
import { layout } from "../paths";
import { TomlFiles } from "../toml-file";
import { Allowances } from "./allowances";
import { maskKey } from "./model-view";
import { Models, type ResolvedModel } from "./models";
import { Projects } from "./projects";

const KEY = "sk-abcdefghijklmnop";
const admin = { admin: true };
const owner = { admin: false };

let root: string;
let env: Record<string, string>;
let models: Models;
let tested: ResolvedModel[];
let detected: [address: string, key: string | undefined, publicOnly: boolean][];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penguin-models-"));
  env = {};
  tested = [];
  detected = [];
  const paths = layout(root);
  const files = new TomlFiles();
  const test = async (model: ResolvedModel) => {
    tested.push(model);
    return { ok: true };
  };
  const detect = async (address: string, key: string | undefined, publicOnly: boolean) => {
    detected.push([address, key, publicOnly]);
    return { found: [], needs_key: false };
  };
  models = new Models(paths, files, new Allowances(paths, files), { env, test, detect });
  const projects = new Projects(paths, files);
  await projects.create("alpha", "Alpha", "ann");
  await projects.create("default_project", "Default", "admin");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const config = () => layout(root).projectConfig("alpha");
const entry = (values: Partial<ModelEntryBody> = {}): ModelEntryBody => ({
  provider: "gate",
  model_id: "m1",
  base_url: "https://203.0.113.7/v1",
  ...values,
});
const put = (...entries: ModelEntryBody[]) => models.put("alpha", { models: entries }, owner);
const resolve = (model_id = "m1", provider = "gate") => models.resolve("alpha", provider, model_id);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe("keys", () => {
  it("are stored 0600, masked on read, kept when absent, cleared by null", async () => {
    const view = await put(entry({ api_key: KEY }));
    expect(view.models[0]).toMatchObject({ api_key_masked: "sk-a…mnop" });
    expect(JSON.stringify(view)).not.toContain(KEY);
    expect((await stat(config())).mode & 0o777).toBe(0o600);
    await put(entry({ display_name: "One" }));
    expect((await resolve())?.api_key).toBe(KEY);
    await put(entry({ api_key: null }));
    expect((await resolve())?.api_key).toBeUndefined();
  });

  it("FS01 a file that was world-readable is private after the first save; unknown keys stay", async () => {
    await writeFile(
      config(),
      'name = "Alpha"\nfuture = { a = 1 }\n[[models]]\nprovider = "gate"\nmodel_id = "m1"\nbase_url = "https://203.0.113.7/v1"\napi_key = "sk-abcdefghijklmnop"\nfast_mode = true\n',
    );
    await chmod(config(), 0o644);
    await put(entry({ context_window: 1000 }));
    expect((await stat(config())).mode & 0o777).toBe(0o600);
    const text = await readFile(config(), "utf8");
    for (const kept of ["future", "fast_mode = true", KEY, 'name = "Alpha"']) expect(text).toContain(kept);
  });

  it("never follow a model to another host, nor to another model", async () => {
    await put(entry({ api_key: KEY }));
    await put(entry({ base_url: "https://203.0.113.8/v1" }));
    expect((await resolve())?.api_key).toBeUndefined();
    await put(entry({ api_key: KEY }));
    await put(entry({ base_url: "https://203.0.113.7/other/v1" }), entry({ model_id: "m2" }));
    expect((await resolve())?.api_key).toBe(KEY);
    expect((await resolve("m2"))?.api_key).toBeUndefined();
  });

  it("are copied to another model when asked for, on the same host only", async () => {
    const key_from = { provider: "gate", model_id: "m1" };
    await put(entry({ api_key: KEY }));
    const elsewhere = entry({ model_id: "m3", base_url: "https://203.0.113.8/v1", key_from });
    await put(entry(), entry({ model_id: "m2", key_from }), elsewhere);
    expect((await resolve("m2"))?.api_key).toBe(KEY);
    expect((await resolve("m3"))?.api_key).toBeUndefined();
    expect(await readFile(config(), "utf8")).not.toContain("key_from");
  });

  it("from the environment go to the vendor's own host or the named one, in allowed Projects only", async () => {
    env.DEEPSEEK_API_KEY = "env-key-value";
    const deepseek = (base_url?: string) => ({ provider: "deepseek", model_id: "d", base_url });
    const put = (base_url?: string) => models.put("default_project", { models: [deepseek(base_url)] }, admin);
    const key = async (project: string) => (await models.resolve(project, "deepseek", "d"))?.api_key;
    expect((await put()).models[0]).toMatchObject({ env_key: "DEEPSEEK_API_KEY" });
    expect(await key("default_project")).toBe("env-key-value");
    await put("https://203.0.113.7/v1");
    expect(await key("default_project")).toBeUndefined();
    env.DEEPSEEK_BASE_URL = "https://203.0.113.7/proxy";
    expect(await key("default_project")).toBe("env-key-value");
    await models.put("alpha", { models: [deepseek()] }, admin);
    expect(await key("alpha")).toBeUndefined();
    await writeFile(layout(root).serverSettings, "[projects.alpha]\nenv_keys = true\n");
    expect(await key("alpha")).toBe("env-key-value");
  });

  it.each([
    ["short", "***"],
    ["123456789012", "***"],
    ["1234567890123", "1234…0123"],
  ])("mask %s as %s", (key, masked) => expect(maskKey(key)).toBe(masked));
});

describe("what is seen of keys and addresses", () => {
  const base_url = "https://203.0.113.7/openai/v1?api-version=2024-10-21&code=SECRET%2Bvalue";
  const shown = "https://203.0.113.7/openai/v1?api-version=2024-10-21&code=***";

  it("AC3 nobody but owners sees more of a key than that it is there", async () => {
    env.DEEPSEEK_API_KEY = "env-key-value";
    await writeFile(layout(root).serverSettings, "[projects.alpha]\nenv_keys = true\n");
    await put(entry({ api_key: KEY }), entry({ model_id: "m2" }), { provider: "deepseek", model_id: "d" });
    const others = await models.view("alpha");
    expect(others.models.map(({ has_key }) => has_key)).toEqual([true, false, true]);
    expect(JSON.stringify(others)).not.toMatch(/sk-a|mnop|DEEPSEEK|key_created_at|api_key/);
    const [first, , third] = (await models.view("alpha", true)).models;
    expect(first).toMatchObject({ api_key_masked: "sk-a…mnop", key_created_at: expect.any(String) });
    expect(third).toMatchObject({ env_key: "DEEPSEEK_API_KEY" });
  });

  it("AC3 values in the query of a base URL are hidden from everybody, kept by saving, and sent in full", async () => {
    const first = await put(entry({ base_url }));
    expect(first.models[0]).toMatchObject({ base_url: shown, address: shown });
    expect(JSON.stringify(first)).not.toContain("SECRET");
    await put(entry({ base_url: shown, display_name: "One" }), entry({ model_id: "m2" }));
    expect(await resolve()).toMatchObject({ base_url });
    await put(entry({ base_url: shown.replace("/openai/", "/other/").replace("10-21", "12-01") }));
    expect(await resolve()).toMatchObject({
      base_url: "https://203.0.113.7/other/v1?api-version=2024-12-01&code=SECRET%2Bvalue",
    });
    await models.test("alpha", entry({ base_url: shown }), owner);
    expect(tested.at(-1)?.base_url).toContain("SECRET%2Bvalue");
  });

  it("a hidden value does not follow to another host or name, and the refusal says what to do", async () => {
    await put(entry({ base_url }));
    for (const moved of [
      shown.replace("113.7", "113.8"),
      shown.replace("https:", "http:"),
      shown.replace("code=", "sig="),
    ]) {
      const refused = put(entry({ base_url: moved }));
      await expect(refused).rejects.toMatchObject({
        code: "invalid_base_url",
        message: expect.stringMatching(/enter it again/),
      });
    }
    expect(await resolve()).toMatchObject({ base_url });
  });
});

describe("a config file with odd values", () => {
  const good = '[[models]]\nprovider = "gate"\nmodel_id = "m1"\nbase_url = "https://203.0.113.7/v1"\n';
  const odd = `name = "Alpha"
default_model = "m1"
${good}context_window = "200k"
max_tokens = -1
api_key = "sk-two\\nlines"
[models.pricing]
cache_read = -1
cache_write = 1
output = inf
[[models]]
model_id = "nameless"
api_key = "sk-nameless"
[[models]]
provider = "gate"
model_id = "turned\\u202eround"
[[models]]
provider = "gate"
model_id = "m3"
base_url = 7
api_key = "sk-must-not-go-elsewhere"
${good}display_name = "the same once more"
`;

  it("loads, says what cannot be used without repeating it, and loses nothing when it is saved", async () => {
    await writeFile(config(), odd);
    const view = await models.view("alpha", true);
    expect(view.models).toMatchObject([{ model_id: "m1", has_key: false }]);
    expect(view.problems).toEqual([
      { entry: 1, model: { provider: "gate", model_id: "m1" }, fields: ["context_window", "api_key", "pricing"] },
      { entry: 2, fields: ["provider"] },
      { entry: 3, fields: ["model_id"] },
      { entry: 4, fields: ["base_url"] },
      { entry: 5, fields: ["provider", "model_id"] },
    ]);
    expect(JSON.stringify(view)).not.toMatch(/sk-|200k/);
    expect((await models.view("alpha")).problems).toBeUndefined();

    await put(entry({ display_name: "One" }), entry({ model_id: "m2" }));
    const text = await readFile(config(), "utf8");
    for (const kept of [
      '"200k"',
      "sk-two",
      "output = inf",
      "nameless",
      "sk-must-not-go",
      "the same once more",
      'default_model = "m1"',
    ]) {
      expect(text).toContain(kept);
    }
    expect((await models.view("alpha")).models.map(({ model_id }) => model_id)).toEqual(["m1", "m2"]);
    await put(entry({ context_window: 1000, api_key: null }), entry({ model_id: "m2" }));
    expect(await readFile(config(), "utf8")).not.toMatch(/200k|sk-two/);
  });

  it("an address that no Request could use stays as it is while others are changed", async () => {
    await writeFile(
      config(),
      `${good.replace("https://", "https://ann:pass@")}[[models]]\nprovider = "bare"\nmodel_id = "b"\n`,
    );
    const view = await models.view("alpha");
    expect(JSON.stringify(view)).not.toContain("pass");
    const entries = view.models
      .filter(({ demo }) => !demo)
      .map(({ provider, model_id, base_url }) => ({ provider, model_id, base_url }));
    await models.put("alpha", { models: [...entries, entry({ model_id: "new" })] }, owner);
    expect(await readFile(config(), "utf8")).toContain("https://ann:pass@203.0.113.7/v1");
  });

  it("is not written over when the models are no list", async () => {
    await writeFile(config(), 'models = "all of them"\n');
    expect((await models.view("alpha", true)).problems).toEqual([{ entry: 0, fields: ["models"] }]);
    await expect(put(entry())).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringMatching(/not a list/),
    });
    expect(await readFile(config(), "utf8")).toContain("all of them");
  });
});

describe("the table", () => {
  it("refuses duplicates, dangling references and bad addresses, and changes nothing then", async () => {
    await put(entry());
    const before = await readFile(config(), "utf8");
    await expect(put(entry(), entry())).rejects.toEqual(code("bad_request"));
    const missing = { provider: "gate", model_id: "none" };
    const refused = models.put("alpha", { models: [entry()], default_model: missing }, owner);
    await expect(refused).rejects.toEqual(code("bad_request"));
    for (const base_url of ["127.0.0.1:9911/v1", "file:///etc/passwd", "nonsense"]) {
      await expect(put(entry({ base_url }))).rejects.toEqual(code("invalid_base_url"));
    }
    await expect(put(entry({ base_url: undefined }))).rejects.toEqual(code("invalid_base_url"));
    expect(await readFile(config(), "utf8")).toBe(before);
  });

  it("RS9 the demo always resolves, and is offered while no model has a credential", async () => {
    expect((await models.view("alpha")).models).toMatchObject([{ provider: "demo", demo: true, is_default: true }]);
    const keyless = await put({ provider: "anthropic", model_id: "claude-opus-5-5" });
    expect(keyless.models).toMatchObject([{ provider: "anthropic" }, { demo: true, is_default: true }]);
    await put(entry({ api_key: KEY }));
    const view = await models.view("alpha");
    expect(view.models.map(({ provider }) => provider)).toEqual(["gate"]);
    expect(view.default_model).toEqual({ provider: "gate", model_id: "m1" });
    expect(await models.resolve("alpha", "demo", "demo")).toMatchObject({ client_type: "openai-chat" });
  });

  it("a chosen default stays while it is in the table", async () => {
    const default_model = { provider: "gate", model_id: "m2" };
    await models.put("alpha", { models: [entry(), entry({ model_id: "m2" })], default_model }, owner);
    await put(entry(), entry({ model_id: "m2" }));
    expect(await models.defaultModel("alpha")).toEqual(default_model);
    await put(entry({ api_key: KEY }));
    expect(await models.defaultModel("alpha")).toEqual({ provider: "gate", model_id: "m1" });
  });
});

describe("private addresses", () => {
  it("are for admins, and for Projects an admin allowed", async () => {
    const local = entry({ base_url: "http://127.0.0.1:9911/v1" });
    await expect(put(local)).rejects.toEqual(code("forbidden"));
    await expect(put(entry({ base_url: "http://localhost:9911/v1" }))).rejects.toEqual(code("forbidden"));
    expect(await models.test("alpha", local, owner)).toMatchObject({ ok: false });
    expect(tested).toEqual([]);
    await models.put("alpha", { models: [local] }, admin);
    expect(await resolve()).toMatchObject({ base_url: "http://127.0.0.1:9911/v1" });
    // An owner may go on saving what an admin entered.
    await put({ ...local, display_name: "Local" });
    await writeFile(layout(root).serverSettings, "[projects.alpha]\nprivate_addresses = true\n");
    await put(entry({ base_url: "http://10.0.0.1/v1" }));
    expect(await models.test("alpha", local, owner)).toMatchObject({ ok: true });
  });

  it("are looked for again before every use of what an owner saved", async () => {
    await put(entry());
    const text = await readFile(config(), "utf8");
    await writeFile(config(), text.replace("203.0.113.7", "127.0.0.1"));
    await expect(resolve()).rejects.toEqual(code("forbidden"));
  });

  it.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1"])(
    "%s is private",
    (ip) => expect(isPrivateAddress(ip)).toBe(true),
  );
  it.each(["203.0.113.7", "8.8.8.8", "2606:4700::1111", "172.32.0.1"])("%s is not", (ip) =>
    expect(isPrivateAddress(ip)).toBe(false),
  );
});

it("tests the form with the stored key only when the host is the same", async () => {
  await put(entry({ api_key: KEY }));
  await models.test("alpha", entry(), owner);
  await models.test("alpha", entry({ base_url: "https://203.0.113.8/v1" }), owner);
  expect(tested.map(({ api_key }) => api_key)).toEqual([KEY, undefined]);
});

describe("the catalog", () => {
  const opus = { provider: "anthropic", model_id: "claude-opus-5-5" };
  const resolved = async () => models.resolve("alpha", opus.provider, opus.model_id);

  it("fills window, sight and price that an entry leaves open, and says so", async () => {
    const view = await put(opus);
    expect(view.models[0]).toMatchObject({
      client_type: "anthropic-messages",
      address: "https://api.anthropic.com",
      context_window: 1_000_000,
      vision: true,
      pricing: { cache_read: 0.2, cache_write: 4, output: 20, cache_creation: 5 },
      from_catalog: ["context_window", "vision", "pricing"],
    });
    expect(await resolved()).toMatchObject({ context_window: 1_000_000, pricing: { output: 20 } });
  });

  it("an entry's own values win; a value that is left out again is the catalog's", async () => {
    const pricing = { cache_read: 1, cache_write: 2, output: 3 };
    await put({ ...opus, context_window: 1000, vision: false, pricing });
    expect(await resolved()).toMatchObject({ context_window: 1000, vision: false, pricing });
    await put(opus);
    expect(await resolved()).toMatchObject({ context_window: 1_000_000, vision: true });
  });

  it("prices hold at the vendor's own address only: a gateway has its own", async () => {
    const view = await put({ ...opus, base_url: "https://203.0.113.7/v1" });
    expect(view.models[0]).toMatchObject({ context_window: 1_000_000, base_url: "https://203.0.113.7" });
    expect(view.models[0]?.pricing).toBeUndefined();
  });
});

describe("defaults of the Project", () => {
  it("thinking level and vision model are kept, changed and cleared, beside what else stands there", async () => {
    await writeFile(config(), 'name = "Alpha"\n[default_chat]\nagent_id = "x"\nthinking_level = "high"\n');
    const m1 = { provider: "gate", model_id: "m1" };
    expect((await put(entry())).thinking_level).toBe("high");
    const set = (body: object) => models.put("alpha", { models: [entry()], ...body }, owner);
    expect(await set({ thinking_level: "low", vision_model: m1 })).toMatchObject({
      thinking_level: "low",
      vision_model: m1,
      models: [{ is_vision_model: true }],
    });
    expect(await models.thinkingLevel("alpha")).toBe("low");
    expect(await readFile(config(), "utf8")).toContain('agent_id = "x"');
    expect(await set({ thinking_level: null, vision_model: null })).toMatchObject({
      thinking_level: null,
      vision_model: null,
    });
    const blind = models.put("alpha", { models: [entry({ vision: false })], vision_model: m1 }, owner);
    await expect(blind).rejects.toEqual(code("bad_request"));
  });

  it("tells a missing provider from a missing model", async () => {
    await put(entry());
    expect(await models.knowsProvider("alpha", "gate")).toBe(true);
    expect(await models.knowsProvider("alpha", "gone")).toBe(false);
    expect(await resolve("gone")).toBeNull();
  });
});

describe("detection", () => {
  const detect = (base_url: string, more: object = {}, person = owner) =>
    models.detect("alpha", { base_url, ...more }, person);

  it("uses the stored key of the provider for the same host only", async () => {
    await put(entry({ api_key: KEY }));
    await detect("https://203.0.113.7/v1", { provider: "gate" });
    await detect("https://203.0.113.8/v1", { provider: "gate" });
    await detect("https://203.0.113.7/v1", { provider: "other" });
    await detect("https://203.0.113.7/v1", { provider: "gate", api_key: "typed" });
    expect(detected.map(([, key]) => key)).toEqual([KEY, undefined, undefined, "typed"]);
  });

  it("no environment key to a foreign host, and none in a Project that was not allowed", async () => {
    env.DEEPSEEK_API_KEY = "env-key-value";
    await detect("https://api.deepseek.com/v1", { provider: "deepseek" });
    await writeFile(layout(root).serverSettings, "[projects.alpha]\nenv_keys = true\n");
    await detect("https://api.deepseek.com/v1", { provider: "deepseek" });
    await detect("https://203.0.113.7/v1", { provider: "deepseek" });
    expect(detected.map(([, key]) => key)).toEqual([undefined, "env-key-value", undefined]);
  });

  it("private addresses are asked for admins, and for Projects an admin allowed", async () => {
    expect(await detect("http://127.0.0.1:9/v1")).toMatchObject({
      found: [],
      message: expect.stringMatching(/private/),
    });
    expect(detected).toEqual([]);
    await detect("http://127.0.0.1:9/v1", {}, admin);
    await detect("https://203.0.113.7/v1");
    await writeFile(layout(root).serverSettings, "[projects.alpha]\nprivate_addresses = true\n");
    await detect("http://127.0.0.1:9/v1");
    expect(detected.map(([, , publicOnly]) => publicOnly)).toEqual([false, true, false]);
  });

  it("an owner may test what an admin entered, and nothing else that is private", async () => {
    const local = entry({ base_url: "http://127.0.0.1:9911/v1" });
    await models.put("alpha", { models: [local] }, admin);
    expect(await models.test("alpha", local, owner)).toMatchObject({ ok: true });
    const other = { ...local, base_url: "http://127.0.0.1:9912/v1" };
    expect(await models.test("alpha", other, owner)).toMatchObject({ ok: false });
    expect(tested).toHaveLength(1);
  });
});
