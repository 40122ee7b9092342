"use client";
import { type ComponentProps, memo, type ReactNode } from "react";
import { type Components, defaultRehypePlugins, Streamdown, useIsCodeFenceIncomplete } from "streamdown";
import { CodeBlock } from "./code-block";
import { useFileLinks } from "./file-links";
import { RemoteImage } from "./remote-image";

/**
 * Text of a model is data. HTML in it is shown as text (the plugin that would parse it is left out), links go to web and
 * mail addresses and to known files only, and pictures of other hosts are loaded only when a person asks for them.
 */
const rehypePlugins = [defaultRehypePlugins.sanitize].filter((plugin) => plugin !== undefined);

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
  inlineCode: ({ children }) => <InlineCode>{children}</InlineCode>,
  pre: ({ node }) => {
    const code = node?.children[0];
    const className = code?.type === "element" ? code.properties.className : undefined;
    const language = /language-(\S+)/.exec(
      String(Array.isArray(className) ? className.join(" ") : (className ?? "")),
    )?.[1];
    return <Fence code={textOf(node)} language={language} />;
  },
  a: ({ href, children }) => <SafeLink href={typeof href === "string" ? href : undefined}>{children}</SafeLink>,
  img: ({ src, alt }) => <Picture src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
};

function Fence(props: { code: string; language?: string }) {
  return <CodeBlock {...props} incomplete={useIsCodeFenceIncomplete()} />;
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

function InlineCode({ children }: { children?: ReactNode }) {
  const name = typeof children === "string" ? children : "";
  const code = <code>{children}</code>;
  return useIsFile(name) ? <FileLink name={name}>{code}</FileLink> : code;
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

function textOf(node: unknown): string {
  if (typeof node !== "object" || node === null) return "";
  if ("value" in node && typeof node.value === "string") return node.value;
  return "children" in node && Array.isArray(node.children) ? node.children.map(textOf).join("") : "";
}

/** A part of an answer, parsed. Loaded when the first text is to be shown: the parser is large. */
export default memo(function MarkdownRendered({ text, streaming }: { text: string; streaming: boolean }) {
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
