/** Issue 8, "must show" 6: whatever stands in a Session, the bytes of a page hold only what was chosen. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AddressedMessage, OmniMessage } from "../../lib/omni/message";
import { Segmenter } from "../../lib/trace/segment";
import { assistant, event, meta, model, user } from "../trace/fixtures/traces";
import { freeze } from "./freeze";
import { renderMarkdown } from "./markdown";
import { Mask } from "./mask";
import { sharePage } from "./page";
import { readTurns, type TurnStore, turnsOf } from "./turns";

const REF = { project: "p", agent: "a" };
const SECRET = "S3cr3t_Value-42";
const TOKEN = ["gh", "p_", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"].join("");
const WORKSPACE = "/work/space_x";
const PLANTED = [SECRET, "AbCdEfGhIjKl", "space_x", "zoe", "Quux", "/home/zo", "hunter2hunter"];

interface Turn {
  prompt: string;
  thinking: string;
  args: string;
  output: string;
  answer: string;
}

const lines = (turns: Turn[]) => [
  meta("s", { workspace: WORKSPACE, system_prompt: "SYSTEM", tools: [{ name: "TOOLDEF" }] }),
  ...turns.flatMap(({ prompt, thinking, args, output, answer }, i) => [
    user(prompt, { author: "zoe" }),
    event({ type: "request_begin" }),
    model({ type: "thinking", role: "assistant", thinking }),
    model({ type: "tool_call", role: "assistant", name: "read_file", arguments: args, tool_call_id: `c${i}` }),
    event({ type: "approval_decision", tool_call_id: `c${i}`, decision: "allow", by: "zoe" }),
    model({ type: "tool_call_output", role: "user", tool_call_id: `c${i}`, output, stop_reason: "completed" }),
    event({ type: "request_end", status: "completed" }),
    event({ type: "request_begin" }),
    assistant(answer),
    event({ type: "request_end", status: "completed" }),
  ]),
];

/** A store of one file that lies in memory. */
function storeOf(turns: Turn[]): TurnStore {
  const records = lines(turns).map((line, i): AddressedMessage => {
    const message: OmniMessage = JSON.parse(line);
    return { address: { file_index: 1, line: i + 1 }, message };
  });
  const segmenter = new Segmenter();
  for (const record of records) segmenter.push(record);
  return {
    tasks: async () => ({
      files: [{ index: 1, lines: records.length, damaged: [] }],
      tasks: segmenter.tasks,
      titles: new Map(),
    }),
    window: async (_ref, _session, _index, { offset, limit }, show) => ({
      records: records
        .slice(offset, offset + limit)
        .map(({ address, message }) => ({ line: address.line, message: show(message) })),
      total: records.length,
    }),
  };
}

interface Choice {
  chosen: number[];
  tools: boolean;
  thinking: boolean;
}

async function pageOf(turns: Turn[], { chosen, tools, thinking }: Choice): Promise<string> {
  const store = storeOf(turns);
  const all = await turnsOf(store, REF, "s");
  expect(all).toHaveLength(turns.length);
  const wanted = all.filter((_, i) => chosen.includes(i)).map(({ file_index, line }) => ({ file_index, line }));
  const blocks = (await readTurns(store, REF, "s", wanted)) ?? [];
  const mask = new Mask({
    known: [{ kind: "vault_value", value: SECRET }],
    names: ["zoe", "Zoe Quux"],
    places: { workspace: WORKSPACE, others: [] },
    hide: [],
  });
  const frozen = await freeze(blocks, { tools, thinking, names: false, mask, personOf: (author) => ({ author }) });
  return sharePage({ title: await mask.text("Title of zoe"), at: "2026-01-02T00:00:00Z", turns: frozen ?? [] }, "en");
}

/** Ordinary text with planted secrets, paths and names in it, also between marks of Markdown and HTML. */
const planted = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "hello ",
        "\n\n",
        "# ",
        "* ",
        "**",
        "`",
        "```\n",
        "| a | b |\n",
        "<b>",
        "&amp;",
        "](",
        "<script>",
      ),
      fc
        .constantFrom(SECRET, TOKEN, "S3cr3t\\_Value-42", "S3cr3t&#95;Value-42", "PASSWORD=hunter2hunter2")
        .map((one) => ` ${one} `),
      fc
        .constantFrom(`${WORKSPACE}/src/a.ts`, "/home/zoe/x.txt", "Zoe Quux", "zoe", "file:///home/zoe")
        .map((one) => ` ${one} `),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const turn = (i: number) =>
  fc.tuple(planted, planted, planted, planted, planted).map(([prompt, thinking, args, output, answer]): Turn => {
    const only = (part: string, text: string) => `${part}${i}only ${text}`;
    return {
      prompt: only("PROMPT", prompt),
      thinking: only("THINKING", thinking),
      args: JSON.stringify({ path: only("ARGS", args) }),
      output: only("OUTPUT", output),
      answer: only("ANSWER", answer),
    };
  });

it("holds the chosen turns, nothing of others, no planted secret, path or name, and one script: its own", async () => {
  const session = fc.tuple(turn(0), turn(1), turn(2));
  const choice = fc.record({
    chosen: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 2 }),
    tools: fc.boolean(),
    thinking: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(session, choice, async (turns, choice) => {
      const page = await pageOf(turns, choice);
      const shown = page.replaceAll(/<\/?(?:em|strong|del|code|a)\b[^>]*>/g, "");
      for (const text of [page, shown]) for (const word of PLANTED) expect(text).not.toContain(word);
      for (const word of ["SYSTEM", "TOOLDEF"]) expect(page).not.toContain(word);
      const has = (part: string, i: number) => page.includes(`${part}${i}only`);
      for (const i of [0, 1, 2]) {
        const chosen = choice.chosen.includes(i);
        expect([has("PROMPT", i), has("ANSWER", i)]).toEqual([chosen, chosen]);
        expect(has("THINKING", i)).toBe(chosen && choice.thinking);
        expect([has("ARGS", i), has("OUTPUT", i)]).toEqual([chosen && choice.tools, chosen && choice.tools]);
      }
      expect(page.match(/<script/g)).toHaveLength(1);
      expect(page).not.toMatch(/<(?:img|iframe|object|embed|form|input|b)\b|\son\w+=|javascript:/i);
    }),
    { numRuns: 150 },
  );
});

it("arguments that a model spelt with escapes hide nothing", async () => {
  const args = String.raw`{"key":"S3cr3t\u005fValue-42","path":"\/home\/zo\u0065\/x"}`;
  const page = await pageOf([{ prompt: "p", thinking: "", args, output: "o", answer: "a" }], {
    chosen: [0],
    tools: true,
    thinking: false,
  });
  expect(page).toContain("{&quot;key&quot;:&quot;‹secret›&quot;,&quot;path&quot;:&quot;‹path›&quot;}");
});

it("Markdown is drawn without anything that runs or loads; what the parser is not made for is shown as it is", () => {
  const html = (text: string) => renderMarkdown(text).html;
  expect(html("# A *b*\n\n- [x] one\n- two")).toBe("<h2>A <em>b</em></h2><ul><li>☑ one</li><li>two</li></ul>");
  expect(html("|a|b|\n|-|-:|\n|1|`2`|")).toContain('<tr><td>1</td><td class="right"><code>2</code></td></tr>');
  expect(html("<img src=x onerror=alert(1)> ![pic](https://a.test/x.png)")).not.toMatch(/<img|https:/);
  expect(html("[a](javascript:alert(1)) [b](data:text/html,x) [c](/p/x)")).toBe("<p>a b c</p>");
  expect(html('[x](https://a.test/?q="><script>)')).not.toContain("<script>");
  expect(html("[x](https://a.test/b)")).toContain('href="https://a.test/b" rel="noopener noreferrer nofollow"');
  expect(html("```js\nif (a < b)\n```")).toBe("<pre>if (a &lt; b)</pre>");
  expect(html("&lt;b&gt; &amp;amp; &nope;")).toBe("<p>&lt;b&gt; &amp;amp; &amp;nope;</p>");
  for (const hard of ["[".repeat(4_000), "1. ".repeat(2_000), "> ".repeat(2_000), "a".repeat(9_000)])
    expect(html(hard)).toBe(`<pre>${hard.replaceAll(">", "&gt;")}</pre>`);
});
