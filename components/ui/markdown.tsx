"use client";
import { lazy, memo, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { behind } from "./behind";
import { cn } from "./cn";
import { CodeBlock } from "./code-block";
import { finishedParts, type MarkdownPart, MarkdownSplitter } from "./markdown-parts";

type Renderer = typeof import("./markdown-rendered")["default"];

let ready: Renderer | null = null;
const load = async () => {
  const module = await import("./markdown-rendered");
  ready = module.default;
  return ready;
};
const Unparsed = ({ text }: { text: string }) => (
  <p data-unparsed="" className="whitespace-pre-wrap">
    {text}
  </p>
);
const late = behind(load, Unparsed);
const Late = lazy(async () => ({ default: await late() }));

/** Begins to fetch the parser, before there is anything to show. */
export function preloadMarkdown(): void {
  load().catch(() => {});
}

const prose = cn(
  "text-base leading-6 text-ink",
  // Lines of text stay short; code and tables take the whole column.
  "[&_:is(p,li,blockquote,h1,h2,h3,h4)]:max-w-[72ch]",
  "[&_h1]:mt-6 [&_h1]:text-xl [&_h1]:font-semibold [&_h2]:mt-6 [&_h2]:text-lg [&_h2]:font-semibold [&_h3]:mt-5 [&_h3]:text-base [&_h3]:font-semibold [&_:is(h4,h5,h6)]:mt-4 [&_:is(h4,h5,h6)]:font-medium",
  "[&>:first-child>:first-child]:mt-0",
  "[&_ul]:list-disc [&_ul]:pl-5 [&_ol]:list-decimal [&_ol]:pl-6 [&_li]:my-1 [&_li]:pl-0.5 [&_li>:is(ul,ol)]:my-1 [&_li::marker]:text-faint [&_.task-list-item]:list-none [&_.task-list-item]:-ml-5",
  "[&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_blockquote]:text-dim [&_hr]:my-5 [&_strong]:font-semibold",
  "[&_a]:text-accent-ink [&_a]:underline [&_a]:decoration-accent-line [&_a]:underline-offset-3 hover:[&_a]:decoration-current",
  "[&_:not(pre)>code]:rounded-[4px] [&_:not(pre)>code]:bg-hover [&_:not(pre)>code]:px-1 [&_:not(pre)>code]:py-px [&_:not(pre)>code]:font-mono [&_:not(pre)>code]:text-[0.92em]",
  "[&_table]:w-full [&_table]:border-collapse [&_table]:text-sm [&_th]:border-b [&_th]:border-line-strong [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-medium [&_td]:border-b [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top",
  // Words and numbers stay whole: a wide table scrolls.
  "[&_:is(th,td)]:[overflow-wrap:break-word]",
);

interface PartProps {
  part: MarkdownPart;
  streaming: boolean;
}

/** At once when the parser is there already, as plain text until then. */
function Text({ part, streaming }: PartProps & { part: { kind: "text" } }) {
  const [Rendered] = useState<{ of: Renderer | typeof Late }>(() => ({ of: ready ?? Late }));
  return (
    <Suspense fallback={<Unparsed text={part.text} />}>
      <Rendered.of text={part.text} streaming={streaming} table={part.table} />
    </Suspense>
  );
}

const Part = memo(
  function Part({ part, streaming }: PartProps) {
    if (part.kind === "code") {
      return <CodeBlock code={part.code} language={part.language} incomplete={streaming && !part.closed} />;
    }
    return <Text part={part} streaming={streaming} />;
  },
  (before, after) => before.streaming === after.streaming && sameParts(before.part, after.part),
);

function sameParts(a: MarkdownPart, b: MarkdownPart): boolean {
  if (a === b) return true;
  if (a.kind === "text") return b.kind === "text" && a.text === b.text && a.table?.head === b.table?.head;
  return b.kind === "code" && a.code === b.code && a.language === b.language && a.closed === b.closed;
}

/** Parts that are compared, laid out and, out of view, left out together: at most so many, of about so many characters. */
const [GROUP, GROUP_CHARS] = [16, 4_000];
/** So many groups at the end are always laid out. */
const ALWAYS = 4;

/**
 * What stands in a group costs the browser nothing while it is out of view: its height is remembered. A group holds its
 * margins, so that it is as high alone as among others.
 */
const grouping = cn(
  "space-y-3 [contain-intrinsic-block-size:auto_1rem] [overflow-clip-margin:4px]",
  // Weaker than the margin of a heading.
  "[:where(&:not(:first-child)>:first-child)]:mt-3",
);

interface GroupProps {
  parts: readonly MarkdownPart[];
  /** The last part of all is in it, and grows. */
  streaming: boolean;
  /** While text grows it is out of view already: the browser lays out twice what it begins to watch within the view. */
  above: boolean;
}

/** A run of parts: once it is full, what follows costs it nothing. */
const Group = memo(
  function Group({ parts, streaming, above }: GroupProps) {
    const box = useRef<HTMLDivElement>(null);
    const rests = useLaidOut(box, above);
    return (
      <div ref={box} className={cn(grouping, rests ? "[content-visibility:auto]" : "flow-root")}>
        {parts.map((part, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: finished parts never move
          <Part key={i} part={part} streaming={streaming && i === parts.length - 1} />
        ))}
      </div>
    );
  },
  (a, b) =>
    a.streaming === b.streaming &&
    a.above === b.above &&
    a.parts.length === b.parts.length &&
    a.parts.every((part, i) => part === b.parts[i]),
);

/** Until the parser is there, text stands as it came: that height is not the one to remember. Milliseconds. */
const AGAIN_MS = 500;

/** A browser remembers the height of what it has drawn once; a guess would move what is read when it turns out wrong. */
function useLaidOut(box: RefObject<HTMLDivElement | null>, wanted: boolean): boolean {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const look = () => {
      if (box.current?.querySelector("[data-unparsed]")) timer = setTimeout(look, AGAIN_MS);
      else frame = requestAnimationFrame(drawn);
    };
    const drawn = () => {
      frame = requestAnimationFrame(() => setDone(true));
    };
    look();
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [box, wanted]);
  return wanted && done;
}

const sizeOf = (part: MarkdownPart) => (part.kind === "code" ? part.code : part.text).length;

/**
 * The same beginning gives the same groups: only a part with parts behind it, which is finished, fills one. `finished`:
 * what stands in the place of the parts once the text grows no more; it changes no group.
 */
function grouped(parts: readonly MarkdownPart[], finished = parts): (readonly MarkdownPart[])[] {
  const groups: MarkdownPart[][] = [];
  let size = 0;
  for (const [i, part] of parts.entries()) {
    const open = groups.at(-1);
    const shown = finished[i] ?? part;
    if (open && open.length < GROUP && size < GROUP_CHARS) open.push(shown);
    else {
      groups.push([shown]);
      size = 0;
    }
    size += sizeOf(part);
  }
  return groups;
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
  const groups = useMemo(
    () => grouped(splitter.split(children), streaming ? undefined : finishedParts(children, splitter)),
    [splitter, children, streaming],
  );
  const last = groups.length - 1;
  return (
    <div className={cn(prose, className)}>
      {groups.map((group, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: finished parts never move
        <Group key={i} parts={group} streaming={streaming && i === last} above={i <= last - ALWAYS} />
      ))}
    </div>
  );
});
