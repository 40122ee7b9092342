import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layout } from "../paths";
import { Agents } from "./agent";
import { parseConfig } from "./config";
import { buildSystemPrompt } from "./prompt";

const ref = { project: "alpha", agent: "helper" };
let root: string;
let agents: Agents;
const paths = () => layout(root);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penguin-agents-"));
  agents = new Agents(paths());
});
afterEach(() => rm(root, { recursive: true, force: true }));

const run = {
  workspace: "/w",
  provider: "demo",
  model_id: "demo",
  session_id: "session-2026-01-02-03-04-05-0a1b2c3d",
  shell: "bash",
  at: new Date(2026, 0, 2),
};
async function prompt(): Promise<string> {
  const loaded = await agents.config(ref);
  if (!loaded.ok) throw new Error(loaded.message);
  return agents.systemPrompt(ref, loaded.config, run);
}

describe("a new Agent", () => {
  it("has its Agent State: empty instructions, empty folders, a config that loads", async () => {
    await agents.create(ref, { name: "Helper" });
    expect(await readdir(paths().agentState(ref))).toEqual([
      "AGENTS.md",
      "memory",
      "skills",
      "system_config.yaml",
      "tools",
    ]);
    expect(await readFile(paths().instructions(ref), "utf8")).toBe("");
    expect((await stat(paths().agentState(ref))).mode & 0o777).toBe(0o700);
    expect(await agents.config(ref)).toMatchObject({ ok: true, config: { max_turns: -1, tools: null } });
    expect(await agents.list("alpha")).toEqual([{ id: "helper", name: "Helper" }]);
    await expect(agents.create(ref)).rejects.toMatchObject({ code: "exists" });
  });

  it("fills every placeholder of its prompt", async () => {
    await agents.create(ref);
    const text = await prompt();
    expect(text).not.toMatch(/\{\{/);
    for (const fact of ["/w", "2026-01-02", run.session_id, paths().scratchpad(ref, run.session_id)]) {
      expect(text).toContain(fact);
    }
  });

  it("names vault keys and skills, never a value; placeholders in AGENTS.md stay text", async () => {
    await agents.create(ref);
    await writeFile(paths().vault(ref), 'API_TOKEN = "do-not-show"\n"bad key" = "x"\nN = 1\n');
    await writeFile(paths().instructions(ref), "\nBe kind. {{VAULT_KEYS}} {{SESSION_ID}}\n");
    const text = await prompt();
    expect(text).toContain("- API_TOKEN");
    expect(text).toContain(
      "[developer_instructions]\nBe kind. {{VAULT_KEYS}} {{SESSION_ID}}\n[/developer_instructions]",
    );
    expect(text).not.toContain("do-not-show");
    expect(await agents.vault(ref)).toEqual({ API_TOKEN: "do-not-show" });
  });
});

it("keeps comments of the config when the name changes; deletion needs an existing Agent", async () => {
  await agents.create(ref);
  const path = paths().systemConfig(ref);
  await writeFile(path, `# mine\n${await readFile(path, "utf8")}`);
  expect(await agents.patch(ref, { name: "New name" })).toMatchObject({ name: "New name" });
  expect(await readFile(path, "utf8")).toContain("# mine");
  await agents.remove(ref, async () => {});
  expect(await readdir(paths().agents("alpha"))).toEqual([]);
  await expect(agents.remove(ref, async () => {})).rejects.toMatchObject({ code: "not_found" });
});

describe("parseConfig", () => {
  it("falls back value by value", () => {
    const text = "system_prompt: hi\nmax_turns: many\nmodel: { max_tokens: 5, timeoutMs: x }\ncompaction: nonsense\n";
    expect(parseConfig(text)).toMatchObject({
      config: {
        max_turns: -1,
        model: { max_tokens: 5, timeout_ms: 120_000 },
        compaction: { max_context_length: 256_000, mode: "summarize" },
      },
    });
  });
  it("takes a list of tools wholesale and drops what is no tool", () => {
    const text = "system_prompt: hi\ntools: { builtin: [{ name: read_file, timeoutMs: 5 }, 7] }\n";
    expect(parseConfig(text)).toMatchObject({ config: { tools: [{ name: "read_file", timeoutMs: 5 }] } });
  });
  it.each(["", "a: [", "system_prompt: [1]", "[]"])("says why %j cannot be used", (text) => {
    expect(parseConfig(text)).toMatchObject({ ok: false });
  });
});

it("leaves unknown placeholders alone", () => {
  const facts = { ...run, agents_md: "", vault_keys: [], skills: [], project_dir: "/p", agent_id: "a" };
  const folders = { scratchpad: "/s", shared_env: "/e", skills_dir: "/k" };
  expect(buildSystemPrompt("  {{CWD}} {{NOBODY}} ", { ...facts, ...folders })).toBe("/w {{NOBODY}}");
});
