"use client";
import { type ComponentProps, memo } from "react";
import { type Components, defaultRehypePlugins, Streamdown } from "streamdown";
import { cn } from "./cn";
import { CodeBlock } from "./code-block";
import { markdownChunks } from "./markdown-chunks";
import { RemoteImage } from "./remote-image";

/**
 * Text of a model is data. HTML in it is shown as text (the plugin that would parse it is left out), links go to web and
 * mail addresses only, and pictures of other hosts are loaded only when a person asks for them.
 */
const rehypePlugins = [defaultRehypePlugins.sanitize, defaultRehypePlugins.harden].filter(
  (plugin) => plugin !== undefined,
);

type Tag =
  | "h1"
  | "h2"
  | "h3"
  | "h4"
  | "h5"
  | "h6"
  | "p"
  | "ul"
  | "ol"
  | "li"
  | "blockquote"
  | "hr"
  | "strong"
  | "em"
  | "sup"
  | "sub"
  | "thead"
  | "tbody"
  | "tr"
  | "th"
  | "td"
  | "section";
/** The element alone: its look comes from `prose`. */
function plain<T extends Tag>(tag: T) {
  const Element: string = tag;
  return ({ node: _, className, ...rest }: ComponentProps<T> & { node?: unknown; className?: string }) => (
    <Element className={className?.includes("task-list") ? className : undefined} {...rest} />
  );
}

const components: Components = {
  h1: plain("h1"),
  h2: plain("h2"),
  h3: plain("h3"),
  h4: plain("h4"),
  h5: plain("h5"),
  h6: plain("h6"),
  ul: plain("ul"),
  ol: plain("ol"),
  li: plain("li"),
  blockquote: plain("blockquote"),
  hr: plain("hr"),
  strong: plain("strong"),
  sup: plain("sup"),
  sub: plain("sub"),
  thead: plain("thead"),
  tbody: plain("tbody"),
  tr: plain("tr"),
  th: plain("th"),
  td: plain("td"),
  section: plain("section"),
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
  inlineCode: ({ children }) => <code>{children}</code>,
  pre: ({ node }) => {
    const code = node?.children[0];
    const className = code?.type === "element" ? code.properties.className : undefined;
    const language = /language-(\S+)/.exec(
      String(Array.isArray(className) ? className.join(" ") : (className ?? "")),
    )?.[1];
    return <CodeBlock code={textOf(node)} language={language} />;
  },
  a: ({ href, children }) => <SafeLink href={typeof href === "string" ? href : undefined}>{children}</SafeLink>,
  img: ({ src, alt }) => <RemoteImage src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
};

function SafeLink({ href, children }: ComponentProps<"a">) {
  const within = href?.startsWith("#");
  if (!href || !(within || /^(https?:|mailto:)/i.test(href))) return <span>{children}</span>;
  if (within) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

function textOf(node: unknown): string {
  if (typeof node !== "object" || node === null) return "";
  if ("value" in node && typeof node.value === "string") return node.value;
  return "children" in node && Array.isArray(node.children) ? node.children.map(textOf).join("") : "";
}

const prose = cn(
  "max-w-[72ch] text-base leading-6 text-ink [&>div]:space-y-3",
  "[&_h1]:mt-6 [&_h1]:text-xl [&_h1]:font-semibold [&_h2]:mt-6 [&_h2]:text-lg [&_h2]:font-semibold [&_h3]:mt-5 [&_h3]:text-base [&_h3]:font-semibold [&_:is(h4,h5,h6)]:mt-4 [&_:is(h4,h5,h6)]:font-medium",
  "[&_ul]:list-disc [&_ul]:pl-5 [&_ol]:list-decimal [&_ol]:pl-6 [&_li]:my-1 [&_li]:pl-0.5 [&_li>:is(ul,ol)]:my-1 [&_li::marker]:text-faint [&_.task-list-item]:list-none [&_.task-list-item]:-ml-5",
  "[&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_blockquote]:text-dim [&_hr]:my-5 [&_strong]:font-semibold",
  "[&_a]:text-accent-ink [&_a]:underline [&_a]:decoration-accent-line [&_a]:underline-offset-3 hover:[&_a]:decoration-current",
  "[&_:not(pre)>code]:rounded-[4px] [&_:not(pre)>code]:bg-hover [&_:not(pre)>code]:px-1 [&_:not(pre)>code]:py-px [&_:not(pre)>code]:font-mono [&_:not(pre)>code]:text-[0.92em]",
  "[&_table]:w-full [&_table]:border-collapse [&_table]:text-sm [&_th]:border-b [&_th]:border-line-strong [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-medium [&_td]:border-b [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top",
);

const Chunk = memo(function Chunk({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown
      mode={streaming ? "streaming" : "static"}
      parseIncompleteMarkdown={streaming}
      controls={false}
      linkSafety={{ enabled: false }}
      rehypePlugins={rehypePlugins}
      components={components}
    >
      {text}
    </Streamdown>
  );
});

interface MarkdownProps {
  children: string;
  /** Half-open markup at the end is closed while it grows. */
  streaming?: boolean;
  className?: string;
}

/** Markdown of a model. */
export const Markdown = memo(function Markdown({ children, streaming = false, className }: MarkdownProps) {
  const chunks = markdownChunks(children);
  return (
    <div className={cn(prose, chunks.length > 1 && "space-y-3", className)}>
      {chunks.map((chunk, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: finished parts never move
        <Chunk key={i} text={chunk} streaming={streaming && i === chunks.length - 1} />
      ))}
    </div>
  );
});
