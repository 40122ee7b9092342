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
const MAX_CHARS = 60_000;

/** Code with colours, as soon as the highlighter is there; plain text until then and for unknown languages. */
export const Highlighted = memo(function Highlighted({ code, language }: { code: string; language?: string }) {
  const [coloured, setColoured] = useState<{ code: string; html: string } | null>(null);
  useEffect(() => {
    if (!language || code.length > MAX_CHARS) return;
    let stale = false;
    void import("highlight.js/lib/common").then(({ default: hljs }) => {
      if (stale || !hljs.getLanguage(language)) return;
      setColoured({ code, html: hljs.highlight(code, { language, ignoreIllegals: true }).value });
    });
    return () => {
      stale = true;
    };
  }, [code, language]);
  if (coloured?.code !== code) return <code>{code}</code>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the text and adds only its own spans
  return <code className={colours} dangerouslySetInnerHTML={{ __html: coloured.html }} />;
});
