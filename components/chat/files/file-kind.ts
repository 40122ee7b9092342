/** How a file is previewed, by its name. */
export type FileKind = "image" | "pdf" | "page" | "markdown" | "text";

const KINDS: Record<string, FileKind> = {
  png: "image",
  jpg: "image",
  jpeg: "image",
  gif: "image",
  webp: "image",
  svg: "image",
  pdf: "pdf",
  html: "page",
  htm: "page",
  md: "markdown",
  markdown: "markdown",
};

export function fileKind(path: string): FileKind {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return KINDS[extension] ?? "text";
}

export const nameOf = (path: string): string => path.split("/").at(-1) ?? path;

const CODE = /`([^`\n]{1,300})`/g;
const WORD = /[\s"'`()<>[\]{},;:|*]+/;
const NAME = /^(?:\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const MAX_NAMES = 40;
const MAX_NAME = 300;
const MAX_CHARS = 200_000;

/**
 * Names in an answer that may be files: what stands in code letters, and words with a path or an ending. The server
 * says which of them are.
 */
export function mentionedNames(text: string): string[] {
  const found = new Set<string>();
  const searched = text.slice(-MAX_CHARS);
  for (const [, code = ""] of searched.matchAll(CODE)) {
    if (!/\s{2}|[<>|*?"]|^https?:/.test(code) && /[./]/.test(code)) found.add(code.trim());
  }
  // Word by word: a long run of letters must cost no more than its length.
  for (const word of searched.replace(CODE, " ").split(WORD)) {
    const name = word.replace(/[.!?]+$/, "");
    if (name.length > 2 && name.length <= MAX_NAME && NAME.test(name) && !/^(\/\/|www\.)/.test(name)) found.add(name);
  }
  return [...found].slice(0, MAX_NAMES);
}
