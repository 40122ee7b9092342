"use client";
import { memo, useEffect, useState } from "react";
import { cn } from "./cn";
import { GrowingText } from "./growing-text";

const colours = cn(
  "[&_.hljs-comment]:text-faint [&_.hljs-comment]:italic [&_.hljs-quote]:text-faint",
  "[&_:is(.hljs-keyword,.hljs-selector-tag,.hljs-literal,.hljs-doctag)]:text-trace-thinking",
  "[&_:is(.hljs-string,.hljs-regexp,.hljs-addition)]:text-good [&_:is(.hljs-number,.hljs-symbol,.hljs-bullet)]:text-attention",
  "[&_:is(.hljs-title,.hljs-section,.hljs-name,.hljs-built_in)]:text-accent-ink [&_:is(.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-type)]:text-info",
  "[&_.hljs-deletion]:text-danger [&_.hljs-meta]:text-dim",
);

/** Above this, colouring costs more than it helps. Characters. */
const MAX_CHARS = 30_000;

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
  if (coloured?.code !== code)
    return (
      <code>
        <GrowingText text={code} />
      </code>
    );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the text and adds only its own spans
  return <code className={colours} dangerouslySetInnerHTML={{ __html: coloured.html }} />;
});
