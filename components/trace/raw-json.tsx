"use client";
import { CopyButton } from "@/components/ui/copy-button";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";

/** Above this many characters the page shows the beginning; copying always gives the whole line. */
const SHOWN = 200_000;

/** The line as it stands in the file, laid out for reading when that is possible; copy gives the exact bytes. */
export function RawJson({ text }: { text: string }) {
  const t = useT();
  const line = text.replace(/\r?\n$/, "");
  const readable = line.length <= SHOWN ? pretty(line) : `${line.slice(0, SHOWN)}…`;
  return (
    <div className="relative overflow-hidden rounded-md border bg-sunken">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-[32rem] overflow-auto whitespace-pre-wrap p-3 pr-10 font-mono text-xs leading-5 -outline-offset-2"
      >
        {readable}
      </pre>
      <div className="absolute top-0.5 right-0.5 bg-sunken">
        <CopyButton text={line} label={`${t("trace.copy_json")} (${byteSize(new Blob([line]).size)})`} />
      </div>
    </div>
  );
}

/** Indents without touching the spelling of numbers and strings: only white space between tokens is added. */
export function pretty(json: string): string {
  let out = "";
  let depth = 0;
  const newline = () => `\n${"  ".repeat(depth)}`;
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (token === "{" || token === "[") {
      out += token;
      if (next === "}" || next === "]") continue;
      depth++;
      out += newline();
    } else if (token === "}" || token === "]") {
      const before = tokens[i - 1];
      if (before !== "{" && before !== "[") {
        depth = Math.max(0, depth - 1);
        out += newline();
      }
      out += token;
    } else if (token === ",") out += token + newline();
    else out += token === ":" ? ": " : token;
  }
  return out;
}
