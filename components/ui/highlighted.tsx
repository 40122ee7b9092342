"use client";
import { memo, useEffect, useState } from "react";
import { cn } from "./cn";

const colours = cn(
  "[&_.hljs-comment]:text-faint [&_.hljs-comment]:italic [&_.hljs-quote]:text-faint",
  "[&_:is(.hljs-keyword,.hljs-selector-tag,.hljs-literal,.hljs-doctag)]:text-trace-thinking",
  "[&_:is(.hljs-string,.hljs-regexp,.hljs-addition)]:text-good [&_:is(.hljs-number,.hljs-symbol,.hljs-bullet)]:text-attention",
  "[&_:is(.hljs-title,.hljs-section,.hljs-name,.hljs-built_in)]:text-accent-ink [&_:is(.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-type)]:text-info",
  "[&_.hljs-deletion]:text-danger [&_.hljs-meta]:text-dim",
);

/** Above this, colouring costs more than it helps. Characters. */
const MAX_CHARS = 30_000;
/** Plain code is laid out in pieces of so many lines, so that growing costs only the last one. */
const PIECE_LINES = 80;

/** One at a time, when the page has nothing better to do. */
let queue: Promise<unknown> = Promise.resolve();
function whenQuiet<T>(run: () => T): Promise<T> {
  const idle = () =>
    new Promise<void>((resolve) => {
      if (typeof requestIdleCallback === "function") requestIdleCallback(() => resolve(), { timeout: 500 });
      else setTimeout(resolve, 1);
    });
  const done = queue.then(idle).then(run);
  queue = done.catch(() => {});
  return done;
}

async function colour(code: string, language: string, wanted: () => boolean): Promise<string | null> {
  const { default: hljs } = await import("highlight.js/lib/common");
  if (!hljs.getLanguage(language)) return null;
  return whenQuiet(() => (wanted() ? hljs.highlight(code, { language, ignoreIllegals: true }).value : null));
}

/** Code with colours, as soon as the highlighter is there; plain text until then and for unknown languages. */
export const Highlighted = memo(function Highlighted({ code, language }: { code: string; language?: string }) {
  const [coloured, setColoured] = useState<{ code: string; html: string } | null>(null);
  useEffect(() => {
    if (!language || code.length > MAX_CHARS) return;
    let stale = false;
    void colour(code, language, () => !stale).then((html) => {
      if (html !== null && !stale) setColoured({ code, html });
    });
    return () => {
      stale = true;
    };
  }, [code, language]);
  if (coloured?.code !== code) return <Plain code={code} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the text and adds only its own spans
  return <code className={colours} dangerouslySetInnerHTML={{ __html: coloured.html }} />;
});

function Plain({ code }: { code: string }) {
  const pieces = piecesOf(code);
  if (pieces.length === 1) return <code>{code}</code>;
  return (
    <code>
      {pieces.map((piece, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <Piece key={i} text={piece} />
      ))}
    </code>
  );
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <span className="block">{text}</span>;
});

/** Every piece but the last ends before a line break, which the next block stands for. */
function piecesOf(code: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let lines = 0;
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) {
    lines += 1;
    if (lines < PIECE_LINES) continue;
    pieces.push(code.slice(from, at) || "\n");
    from = at + 1;
    lines = 0;
  }
  return [...pieces, code.slice(from)];
}
