"use client";
import type { MarkedToken, Token } from "marked";
import { type ComponentProps, Fragment, memo, type ReactNode } from "react";
import { CodeBlock } from "./code-block";
import { useFileLinks } from "./file-links";
import { isKnown, type MarkdownToken, tokensOf, withEntities } from "./markdown-tokens";
import { RemoteImage } from "./remote-image";

/**
 * Text of a model is data. Tokens become elements here and nowhere HTML: tags in the text are shown as text, links go to
 * web and mail addresses and to known files only, and pictures of other hosts are loaded only when a person asks.
 */
interface RenderedProps {
  text: string;
  /** It grows: half-open markup at its end is closed. */
  streaming: boolean;
  /** A piece of a long table: `head` are the lines of its header when they are shown by an earlier piece. */
  table?: { head: string };
}

/** A part of an answer. */
export default memo(
  function MarkdownRendered({ text, streaming, table }: RenderedProps) {
    const tokens = tokensOf(table ? table.head + text : text, streaming);
    const look = { streaming, table: table && (table.head === "" ? "first" : "more") } as const;
    return tokens.map((token, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: what grows keeps its order
      <Block key={i} token={token} look={look} last={i === tokens.length - 1} />
    ));
  },
  (a, b) => a.text === b.text && a.streaming === b.streaming && a.table?.head === b.table?.head,
);

interface Look {
  streaming: boolean;
  table?: "first" | "more";
}
interface BlockProps {
  token: Token;
  look: Look;
  /** Nothing follows it: it may be unfinished. */
  last: boolean;
}

function Block({ token, look, last }: BlockProps) {
  if (!isKnown(token)) return null;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "heading":
      return <Heading {...token} />;
    case "code":
      return (
        <CodeBlock
          code={token.text}
          language={token.lang?.split(/[\s{,]/)[0] || undefined}
          incomplete={look.streaming && last && !/(?:```|~~~)\s*$/.test(token.raw)}
        />
      );
    case "blockquote":
      return (
        <blockquote className="space-y-3">
          <Blocks tokens={token.tokens} look={look} />
        </blockquote>
      );
    case "list":
      return <List {...token} look={look} />;
    case "table":
      return <Table {...token} part={look.table} />;
    case "html":
      return <p className="whitespace-pre-wrap">{token.text.trimEnd()}</p>;
    case "note":
      return (
        <p className="text-sm text-dim">
          <sup>{token.label}</sup> {inline(token.tokens)}
        </p>
      );
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    // Within a list that is tight: no paragraph.
    default:
      return inlineOne(token);
  }
}

function Blocks({ tokens, look }: { tokens: readonly Token[]; look: Look }) {
  return tokens.map((token, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what grows keeps its order
    <Block key={i} token={token} look={look} last={i === tokens.length - 1} />
  ));
}

type Of<Kind extends MarkedToken["type"]> = Extract<MarkedToken, { type: Kind }>;

function Heading({ depth, tokens }: Of<"heading">) {
  const Tag = HEADINGS[depth - 1] ?? "h6";
  return <Tag>{inline(tokens)}</Tag>;
}
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

function List({ ordered, start, items, look }: Of<"list"> & { look: Look }) {
  const content = items.map(({ tokens, task, loose }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what grows keeps its order
    <li key={i} className={task ? "task-list-item" : loose ? "space-y-2" : undefined}>
      <Blocks tokens={tokens} look={look} />
    </li>
  ));
  return ordered ? <ol start={start === "" ? undefined : start}>{content}</ol> : <ul>{content}</ul>;
}

/** Of columns that are all of one width, when there are many. */
const COLUMN_REM = 5;

/** Pieces of a long table have columns of one width each, so that they stand as one below each other. */
function Table({ header, rows, part }: Of<"table"> & { part: Look["table"] }) {
  return (
    <div className={part === "more" ? "-mt-3 overflow-x-auto first:mt-0" : "overflow-x-auto"}>
      <table
        className={part && "table-fixed"}
        style={part && header.length > 6 ? { minWidth: `${header.length * COLUMN_REM}rem` } : undefined}
      >
        <thead className={part === "more" ? "sr-only" : undefined}>
          <tr>
            {header.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what grows keeps its order
              <th key={i} style={aligned(cell.align)}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what grows keeps its order
            <tr key={i}>
              {row.map((cell, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: what grows keeps its order
                <td key={j} style={aligned(cell.align)}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function aligned(align: "center" | "left" | "right" | null) {
  return align ? { textAlign: align } : undefined;
}

function inline(tokens: readonly Token[]): ReactNode {
  const [only] = tokens;
  if (only && tokens.length === 1 && isKnown(only)) return inlineOne(only);
  return tokens.map((token, i) => {
    if (!isKnown(token)) return null;
    const node = inlineOne(token);
    // biome-ignore lint/suspicious/noArrayIndexKey: what grows keeps its order
    return typeof node === "string" ? node : <Fragment key={i}>{node}</Fragment>;
  });
}

function inlineOne(token: MarkdownToken): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens ? inline(token.tokens) : withEntities(token.text);
    case "escape":
      return token.text;
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "codespan":
      return <InlineCode>{token.text}</InlineCode>;
    case "br":
      return <br />;
    case "link":
      return (
        <SafeLink href={token.autolink ? token.href : withEntities(token.href)}>
          {token.autolink ? token.text : inline(token.tokens)}
        </SafeLink>
      );
    case "image":
      return <Picture src={withEntities(token.href)} alt={withEntities(token.text)} />;
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled readOnly className="mr-1.5 align-middle" />;
    case "note_ref":
      return <sup>{token.label}</sup>;
    case "html":
      return /^<br\s*\/?>$/i.test(token.text) ? <br /> : token.text;
    case "paragraph":
      return inline(token.tokens);
    default:
      return token.raw;
  }
}

/** A name that is a file of the Workspace opens it; null: it is none. */
function FileLink({ name, children }: { name: string; children: ReactNode }) {
  const files = useFileLinks();
  const path = files.find(name);
  if (path === null) return null;
  return (
    <button type="button" onClick={() => files.open(path)} className="text-left text-accent-ink hover:underline">
      {children}
    </button>
  );
}

function useIsFile(name: string): boolean {
  return useFileLinks().find(name) !== null;
}

function InlineCode({ children }: { children: string }) {
  const code = <code>{children}</code>;
  return useIsFile(children) ? <FileLink name={children}>{code}</FileLink> : code;
}

function Picture({ src, alt }: { src: string; alt: string }) {
  return useIsFile(src) ? <FileLink name={src}>{alt || src}</FileLink> : <RemoteImage src={src} alt={alt} />;
}

function SafeLink({ href, children }: ComponentProps<"a">) {
  const isFile = useIsFile(href ?? "");
  if (href && isFile) return <FileLink name={href}>{children}</FileLink>;
  const within = href?.startsWith("#");
  if (!href || !(within || /^(https?:|mailto:)/i.test(href))) return <span>{children}</span>;
  if (within) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}
