"use client";
import { lazy, memo, Suspense, useMemo, useState } from "react";
import { cn } from "./cn";
import { CodeBlock } from "./code-block";
import { finishedParts, type MarkdownPart, MarkdownSplitter } from "./markdown-parts";

const load = () => import("./markdown-rendered");
const Rendered = lazy(load);

/** Begins to fetch the parser, before there is anything to show. */
export function preloadMarkdown(): void {
  void load();
}

const prose = cn(
  "text-base leading-6 text-ink [&>div]:space-y-3",
  // Lines of text stay short; code and tables take the whole column.
  "[&_:is(p,li,blockquote,h1,h2,h3,h4)]:max-w-[72ch]",
  "[&_h1]:mt-6 [&_h1]:text-xl [&_h1]:font-semibold [&_h2]:mt-6 [&_h2]:text-lg [&_h2]:font-semibold [&_h3]:mt-5 [&_h3]:text-base [&_h3]:font-semibold [&_:is(h4,h5,h6)]:mt-4 [&_:is(h4,h5,h6)]:font-medium",
  // A heading that opens a later part stands as far from what is above it as any other.
  "[&>*+*>:is(h1,h2,h3,h4):first-child]:mt-5!",
  "[&_ul]:list-disc [&_ul]:pl-5 [&_ol]:list-decimal [&_ol]:pl-6 [&_li]:my-1 [&_li]:pl-0.5 [&_li>:is(ul,ol)]:my-1 [&_li::marker]:text-faint [&_.task-list-item]:list-none [&_.task-list-item]:-ml-5",
  "[&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_blockquote]:text-dim [&_hr]:my-5 [&_strong]:font-semibold",
  "[&_a]:text-accent-ink [&_a]:underline [&_a]:decoration-accent-line [&_a]:underline-offset-3 hover:[&_a]:decoration-current",
  "[&_:not(pre)>code]:rounded-[4px] [&_:not(pre)>code]:bg-hover [&_:not(pre)>code]:px-1 [&_:not(pre)>code]:py-px [&_:not(pre)>code]:font-mono [&_:not(pre)>code]:text-[0.92em]",
  "[&_table]:w-full [&_table]:border-collapse [&_table]:text-sm [&_th]:border-b [&_th]:border-line-strong [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-medium [&_td]:border-b [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top",
);

interface PartProps {
  part: MarkdownPart;
  streaming: boolean;
}

const Part = memo(
  function Part({ part, streaming }: PartProps) {
    if (part.kind === "code") {
      return <CodeBlock code={part.code} language={part.language} incomplete={streaming && !part.closed} />;
    }
    return (
      <Suspense fallback={<p className="whitespace-pre-wrap">{part.text}</p>}>
        <Rendered text={part.text} streaming={streaming} />
      </Suspense>
    );
  },
  (before, after) => before.streaming === after.streaming && sameParts(before.part, after.part),
);

function sameParts(a: MarkdownPart, b: MarkdownPart): boolean {
  if (a === b) return true;
  if (a.kind === "text") return b.kind === "text" && a.text === b.text;
  return b.kind === "code" && a.code === b.code && a.language === b.language && a.closed === b.closed;
}

interface MarkdownProps {
  children: string;
  /** Half-open markup at the end is closed while it grows. */
  streaming?: boolean;
  className?: string;
}

/** Markdown of a model. While it grows, only its last part is drawn again. */
export const Markdown = memo(function Markdown({ children, streaming = false, className }: MarkdownProps) {
  const [splitter] = useState(() => new MarkdownSplitter());
  const parts = useMemo(
    () => (streaming ? splitter.split(children) : finishedParts(children)),
    [splitter, children, streaming],
  );
  return (
    <div className={cn(prose, parts.length > 1 && "space-y-3", className)}>
      {parts.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: finished parts never move
        <Part key={i} part={part} streaming={streaming && i === parts.length - 1} />
      ))}
    </div>
  );
});
