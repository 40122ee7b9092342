/** Absolute paths in texts: what the server knows (Workspace, home, data root), and what looks like one. */
import { escaped, mark, type Note } from "./kinds";

export interface KnownPlaces {
  /** Files below it keep their place in it. */
  workspace?: string;
  /** Whatever else must not be read: data root, home. */
  others: readonly string[];
}

const PATH = mark("path");

/** What ends a part of a path, in Latin and in Chinese text. */
const END = String.raw`\s"'\x60<>|&;,:(){}[\]*?!‹›\\\/，。、；：？！（）《》“”‘’…`;
const PART = `(?:[^${END}]|\\\\ )+`;
/** A space within a name, when the path goes on behind it. */
const SPACED = `(?: [^${END}~-][^${END}]*(?=\\/))?`;
const REST = `(?:\\/${PART}${SPACED})`;
/** No part of an address of the web, of a relative path, or of what a mark stands for. Chinese has no space before it. */
const START = String.raw`(?:(?<![\w\u00c0-\u052f\/.~›%@-])|(?<=\\[nrt])|(?<=(?:^|\s)-[A-Za-z]))`;

const SHAPES: readonly RegExp[] = [
  /(?:file|vscode(?:-insiders)?|cursor):\/\/[^\s"'`<>)‹]{2,2000}/gi,
  new RegExp(`${START}(?:~[\\w-]{0,32}${REST}+|${REST}{2,})\\/?`, "g"),
  new RegExp(String.raw`(?<=@)\/(?:home|Users|root|etc|var|tmp|opt|srv|mnt|usr|private)(?:\/${PART})+`, "g"),
  /(?<![A-Za-z0-9])[A-Za-z]:\\{1,2}[^\s"'`<>|‹]+/g,
  /(?<!\\)\\{2,4}[A-Za-z0-9][\w.$-]{1,63}\\{1,2}[A-Za-z0-9][^\s"'`<>|‹]+/g,
  /(?:%2F[\w.@+~-]+){2,}/gi,
  // As some programs spell them in JSON.
  /(?<![\w.\\])(?:\\\/[\w.@+~-]+){2,}/g,
];

/** An address of an API and the line of a request are no places on a disk. */
function isAddress(found: string, text: string, at: number): boolean {
  if (/^\/(?:api|v\d+)\//.test(found)) return true;
  return /(?:^|[\s"'`])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) $/.test(text.slice(Math.max(0, at - 9), at));
}

export class PathMask {
  readonly #known: readonly { shape: RegExp; by: string }[];

  constructor({ workspace, others }: KnownPlaces) {
    const long = (path: string | undefined): path is string => path !== undefined && path.length >= 4;
    const bare = (path: string) => path.replace(/[\\/]+$/, "");
    const all = [
      ...[workspace].filter(long).map((path) => ({ path: bare(path), by: mark("workspace") })),
      ...others.filter(long).map((path) => ({ path: bare(path), by: PATH })),
    ].sort((a, b) => b.path.length - a.path.length);
    this.#known = all.flatMap(({ path, by }) => {
      const below = by === PATH ? `${REST}*\\/?` : "";
      const coded = encodeURIComponent(path);
      return [
        { shape: new RegExp(`${escaped(path)}(?![\\w-])${below}`, "g"), by },
        // As Markdown, JSON and addresses spell it.
        { shape: new RegExp(`${escaped(path.replaceAll("_", "\\_"))}(?![\\w-])${below}`, "g"), by },
        { shape: new RegExp(`${escaped(path.replaceAll("\\", "\\\\"))}(?![\\w-])${below}`, "g"), by },
        {
          shape: new RegExp(`${escaped(path.replaceAll("/", "\\/"))}(?![\\w-])(?:\\\\\\/[\\w.@+~-]+)*`, "g"),
          by: PATH,
        },
        { shape: new RegExp(`${escaped(coded)}(?:%2F[\\w.@+~%-]*)*`, "gi"), by: PATH },
      ];
    });
  }

  *steps(): Generator<(text: string, note: Note) => string> {
    for (const { shape, by } of this.#known) {
      yield (text, note) =>
        text.replace(shape, () => {
          note("path", 1);
          return by;
        });
    }
    for (const shape of SHAPES) yield (text, note) => withoutShape(text, shape, note);
  }
}

function withoutShape(text: string, shape: RegExp, note: Note): string {
  return text.replace(shape, (found: string, ...more: unknown[]) => {
    const at = more.find((one) => typeof one === "number") ?? 0;
    if (isAddress(found, text, at)) return found;
    note("path", 1);
    // The end of a sentence is none of the path.
    return PATH + (/[.,:;!?]+$/.exec(found)?.[0] ?? "");
  });
}
