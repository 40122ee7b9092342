/** What the demo model says. */

export const INTRODUCTION = `Hello! I am the **built-in demo model**: a small script, not a real language model. I follow a few plain sentences so that you can try everything here without a key or a network.

Try one of these:

- \`create a file hello.txt with hi\`
- \`\`run \`sleep 1\` and \`echo two\` at the same time\`\`
- \`think about penguins\`
- \`write 60 lines\`
- \`show markdown\`
- \`fail with 500\`

To work with a real model, open the **Models** page and add one: a provider, a model id and a key, or the address of a local server.`;

export const SHOWCASE = `# Markdown, all in one answer

Text with **bold**, *italic*, ~~struck~~ and \`inline code\`, a [link](https://example.com/) and a line with math-like a < b && c > d.

1. First
2. Second
   - nested
   - list

| Column | Number | Note |
|:-------|-------:|:----:|
| alpha  |      1 | left |
| beta   |     22 | right |
| gamma  |    333 | wide cell with more words in it |

\`\`\`ts
/** Adds two numbers. */
export function add(a: number, b: number): number {
  return a + b;
}
\`\`\`

> A quote that goes on
> for two lines.

- [x] done
- [ ] open

---

中文、русский, עברית and 👩‍👩‍👧‍👦 in one line.`;

/** For sentences that match no phrase. */
export function shrug(prompt: string): string {
  const said = prompt.length > 200 ? `${prompt.slice(0, 200)}…` : prompt;
  const words = prompt.split(/\s+/).filter(Boolean).length;
  return `You said: “${said}” (${words} ${words === 1 ? "word" : "words"}).

I am the built-in demo model, not a real language model, so I cannot answer that. Say \`help\` to see what I can do, or add a real model on the **Models** page.`;
}

export function thoughts(topic: string): string {
  return `The person wants me to think about ${topic}.\n\nFirst, what is known about ${topic}? I am a script, so: nothing. Second, what would a careful answer need? Facts, and a way to check them. Third, what can I honestly offer? The look of thinking, clearly labelled.\n\n  (two spaces before this line are kept)\n`;
}
export function afterThoughts(topic: string): string {
  return `I have thought about ${topic}. As a demo model I have no knowledge of my own; what you saw above is how a model's thinking is shown.`;
}

const FILLER = ["snow", "ice", "water", "wind", "feather", "colony", "krill", "south"];

export function numberedLines(n: number): string {
  const line = (i: number) => {
    const word = (k: number) => FILLER[(i * 3 + k) % FILLER.length];
    return `Line ${i}: ${word(0)} ${word(1)} ${word(4)} ${word(6)}`;
  };
  return Array.from({ length: n }, (_, i) => line(i + 1)).join("\n\n");
}
export function counting(n: number): string {
  return Array.from({ length: n }, (_, i) => String(i + 1)).join("\n");
}

export const NOT_ALLOWED = "You did not allow that, so I left it undone.";
/** There is no prompt, only what the harness wrote: the start of a context after a compaction. */
export const WOKEN = "I have the summary of our conversation so far. Nothing is left open; tell me what comes next.";

/** A comment on one tool output, in a sentence or two. */
export function comment(name: string, args: string, output: string): string {
  const text = output.trim();
  if (/^Tool call denied/i.test(text)) return NOT_ALLOWED;
  if (/^\[interrupted/i.test(text)) return "That was interrupted, so I do not know how it would have ended.";
  const first = text.split("\n", 1)[0] ?? "";
  const running = /process_id ([\w-]+)/.exec(text)?.[1];
  const code = /\[exit code: (-?\d+)\]/.exec(text)?.[1] ?? "0";
  const lines = text === "" || text === "[no output]" ? 0 : text.split("\n").length;
  const shown = text.split("\n").slice(0, 12).join("\n").slice(0, 800);
  const block = `\n\n\`\`\`\n${shown.replaceAll("```", "'''")}\n\`\`\``;
  const path = /"file_path":"((?:[^"\\]|\\.)*)"/.exec(args)?.[1] ?? "the file";
  const many = `${lines} ${lines === 1 ? "line" : "lines"}`;
  if (name === "read_file") return `\`${path}\` came back with ${many}:${block}`;
  if (name === "run_subagent") return `The subagent answered:${block}`;
  if (name === "exec_command" || name === "input_command") {
    if (running)
      return `The command goes on as \`${running}\`. Say \`check the process\` or \`stop the process\`.${block}`;
    if (code !== "0") return `The command failed with exit code ${code}:${block}`;
    return lines === 0 ? "The command finished without any output." : `The command answered with ${many}:${block}`;
  }
  return `The tool says: ${first}`;
}

export function summary(prompts: readonly string[], calls: readonly string[]): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join("\n") || "- nothing";
  return `[summary]
Requests so far:
${list(prompts)}

Tools used: ${calls.length === 0 ? "none" : [...new Set(calls)].join(", ")} (${calls.length} calls).
State: everything asked for was attempted; nothing is known to be open.
Next step: wait for the next message.
[/summary]`;
}
