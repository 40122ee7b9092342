/**
 * The form of bracketed text blocks, whatever they mean: `[tag]\nbody\n[/tag]`. Written in square form; tags that had an
 * angle form once are also read in it. All scans are linear: the text may come from anywhere.
 */

// ---- the form -----------------------------------------------------------------------------------------------------

/** Tags that never had an angle form. */
const SQUARE_ONLY = new Set(["user_steering", "goal", "background_task_done"]);

interface Form {
  open: string;
  close: string;
}
/** Square first. */
export function bothForms(tag: string): Form[] {
  return [
    { open: `[${tag}]`, close: `[/${tag}]` },
    { open: `<${tag}>`, close: `</${tag}>` },
  ];
}
function formsOf(tag: string): Form[] {
  return bothForms(tag).slice(0, SQUARE_ONLY.has(tag) ? 1 : 2);
}
/** Most texts are no block: said without building anything, since folds ask it of every text. */
function mayStartBlock(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x5b || first === 0x3c;
}

export function writeBlock(tag: string, body: string): string {
  return `[${tag}]\n${body}\n[/${tag}]`;
}

/** The body when the whole text is one such block, else null. */
export function readWhole(tag: string, text: string): string | null {
  if (!mayStartBlock(text)) return null;
  for (const { open, close } of formsOf(tag)) {
    if (!text.startsWith(open)) continue;
    const end = text.trimEnd();
    if (end.length >= open.length + close.length && end.endsWith(close)) {
      return unframed(end.slice(open.length, -close.length));
    }
  }
  return null;
}

/** The block at the start and the text after it, else null. A closing tag inside a `goal` must start its line. */
export function readPrefix(tag: string, text: string): { body: string; rest: string } | null {
  if (!mayStartBlock(text)) return null;
  for (const { open, close } of formsOf(tag)) {
    if (!text.startsWith(open)) continue;
    const anchor = tag === "goal" ? "\n" : "";
    const at = text.indexOf(anchor + close, open.length);
    if (at === -1) continue;
    const rest = text.slice(at + anchor.length + close.length).replace(/^\s*\n/, "");
    return { body: unframed(text.slice(open.length, at)), rest };
  }
  return null;
}

/** Without the one line feed that frames a body on either side. */
function unframed(body: string): string {
  const from = body.startsWith("\n") ? 1 : 0;
  const to = body.length > from && body.endsWith("\n") ? body.length - 1 : body.length;
  return body.slice(from, to);
}

/** A block and, after a blank line, what the person wrote. */
export function withPrefix(tag: string, body: string, rest: string): string {
  return rest === "" ? writeBlock(tag, body) : `${writeBlock(tag, body)}\n\n${rest}`;
}

// ---- searching ---------------------------------------------------------------------------------------------------

/** The contents of all complete pairs, in order. */
export function* pairs(text: string, open: string, close: string): Generator<string> {
  let from = text.indexOf(open);
  while (from !== -1) {
    const to = text.indexOf(close, from + open.length);
    if (to === -1) return;
    yield text.slice(from + open.length, to);
    from = text.indexOf(open, to + close.length);
  }
}

/** All blocks of this tag in either form, and stray tags, taken out. */
export function withoutTag(text: string, tag: string): string {
  const rest = bothForms(tag).reduce((kept, { open, close }) => withoutPairs(kept, open, close), text);
  return withoutStrayTags(rest, tag);
}

function withoutPairs(text: string, open: string, close: string): string {
  let kept = "";
  let at = 0;
  for (const content of pairs(text, open, close)) {
    const from = text.indexOf(open, at);
    kept += text.slice(at, from);
    at = from + open.length + content.length + close.length;
  }
  return kept + text.slice(at);
}

export function withoutStrayTags(text: string, tag: string): string {
  return bothForms(tag).reduce((kept, { open, close }) => kept.replaceAll(open, "").replaceAll(close, ""), text);
}

// ---- fields -------------------------------------------------------------------------------------------------------

/** `key: value` lines; what is absent or empty is left out. A value is one line. */
export function writeFields(fields: Record<string, string | undefined>): string {
  return Object.entries(fields)
    .filter((field): field is [string, string] => Boolean(field[1]))
    .map(([key, value]) => `${key}: ${oneLine(value)}`)
    .join("\n");
}

/** Other lines are prose and are ignored; the first of two equal keys counts. */
export function readFields(body: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of body.split("\n")) {
    const match = /^\s*([a-z_]+): (.*)$/.exec(line);
    if (match?.[1] && match[2] && !fields.has(match[1])) fields.set(match[1], match[2].trim());
  }
  return fields;
}

function oneLine(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}

/** A thing named by its id, with a human name where it has another one. */
export interface Labelled {
  id: string;
  label?: string;
}
export function writeLabel({ id, label }: Labelled): string {
  return label && label !== id ? `${id} (${label})` : id;
}
export function readLabel(value: string): Labelled {
  const match = /^([\w-]+) \((.*)\)$/.exec(value);
  return match?.[1] && match[2] ? { id: match[1], label: match[2] } : { id: value };
}
/** The named fields that are there, ready to be spread. */
export function present<K extends string>(fields: Map<string, string>, ...keys: K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const value = fields.get(key);
    if (value) found[key] = value;
  }
  return found;
}
