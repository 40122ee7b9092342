/**
 * Takes out of a text what a reader of a share link should not see. What is taken out is listed in `docs/shares.md`.
 * Rather too much than too little: the preview shows what is left.
 */
import type { Masked, MaskKind } from "../../lib/api/share";
import { Pace } from "../trace/scan";
import { escaped, mark, type Note, STEPS } from "./kinds";
import { type KnownPlaces, PathMask } from "./paths";

/** A secret that is known word by word. */
export interface Known {
  kind: "vault_value" | "model_key" | "server_secret";
  value: string;
}
export interface MaskRules {
  known: readonly Known[];
  /** Names of people; none: they stay. */
  names: readonly string[];
  /** null: absolute paths stay. */
  places: KnownPlaces | null;
  /** Words that the person added. */
  hide: readonly string[];
}

type Step = (text: string, note: Note) => string;

/** Shorter values would take ordinary words out. */
const MIN_CHARS = 6;
/** Words that say what an account is for, and no person's name. */
const NO_NAMES = new Set(["admin", "administrator", "root", "user", "guest", "server", "test", "demo", "default"]);
/** Colours and moves of a terminal: they may stand in front of, or within, what is looked for. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
const TERMINAL = /\u001b(?:\[[0-9;?]{0,30}[A-Za-z]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\))/g;
/** What nobody sees and no word needs: it could stand within what is looked for. */
const UNSEEN = /\u200b|\u2060|\ufeff|\u00ad/g;

export class Mask {
  readonly #counts = new Map<MaskKind, number>();
  readonly #steps: readonly Step[];

  constructor({ known, names, places, hide }: MaskRules) {
    this.#steps = [
      (text) => (text.includes("\u001b") ? text.replace(TERMINAL, "") : text).replace(UNSEEN, ""),
      ...spelt(known).map(literal),
      ...hide.map((word): Step => literal({ kind: "hidden", value: word, by: mark("hidden") })),
      ...STEPS,
      ...(places ? new PathMask(places).steps() : []),
      ...nameSteps(names),
    ];
  }

  /** What was taken out so far. */
  get found(): Masked[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count }));
  }

  /** The text without it. Lets others run when it takes long. */
  async text(given: string): Promise<string> {
    return this.#through(given, (kind, count) => this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count));
  }

  /** Would anything be taken out? */
  async finds(text: string): Promise<boolean> {
    return (await this.#through(text, () => {})) !== text;
  }

  async #through(given: string, note: Note): Promise<string> {
    const pace = new Pace();
    let text = given;
    for (const step of this.#steps) {
      text = step(text, note);
      if (pace.due) await pace.rest();
    }
    return text;
  }
}

interface Literal {
  kind: MaskKind;
  value: string;
  by?: string;
}

function literal({ kind, value, by = mark("secret") }: Literal): Step {
  return (text, note) => {
    if (!text.includes(value)) return text;
    const parts = text.split(value);
    note(kind, parts.length - 1);
    return parts.join(by);
  };
}

/** As it is, in JSON, in an address, in Markdown, in HTML and in base64; of several lines also each long one. Longest first. */
function spelt(known: readonly Known[]): Literal[] {
  const found = new Map<string, Literal>();
  for (const { kind, value } of known) {
    const lines = value.includes("\n") ? value.split("\n").filter((line) => line.length >= 16) : [];
    for (const one of [value, ...lines]) {
      if (one.trim().length < MIN_CHARS) continue;
      const spellings = [
        one,
        JSON.stringify(one).slice(1, -1),
        encodeURIComponent(Buffer.from(one).toString("utf8")),
        one.replace(/[\\`*_{}[\]()#+.!|<>~-]/g, "\\$&"),
        one.replaceAll("_", "\\_"),
        one.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
        ...inBase64(one),
        Buffer.from(one).toString("hex"),
      ];
      for (const value of spellings) if (!found.has(value)) found.set(value, { kind, value });
    }
  }
  return [...found.values()].sort((a, b) => b.value.length - a.value.length);
}

/** As base64 spells it, wherever it begins in what was encoded: what its neighbours have a part in is left out. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  const within = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), whole);
  });
  const all = [bytes.toString("base64").replace(/=+$/, ""), ...within];
  return [...all, ...all.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))];
}

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whole names in any case, the parts of a name as they are spelt. Where words have no spaces between them, everywhere. */
function nameSteps(given: readonly string[]): Step[] {
  const usable = (name: string) => name.length >= 2 && !NO_NAMES.has(name.toLowerCase());
  const whole = [...new Set(given.map((name) => name.trim()))].filter(usable);
  const parts = whole
    .flatMap((name) => name.split(/[\s,]+/))
    .filter((part) => part.length >= 3 && /^\p{Lu}/u.test(part));
  return [shapeOf(whole, "giu"), shapeOf(parts.filter(usable), "gu")].flatMap((shape): Step[] =>
    shape
      ? [
          (text, note) =>
            text.replace(shape, () => {
              note("name", 1);
              return mark("name");
            }),
        ]
      : [],
  );
}

function shapeOf(names: readonly string[], flags: string): RegExp | null {
  if (names.length === 0) return null;
  const sorted = [...new Set(names)].sort((a, b) => b.length - a.length);
  const within = sorted.filter((name) => HAN.test(name)).map(escaped);
  const apart = sorted.filter((name) => !HAN.test(name)).map(escaped);
  const words = apart.length > 0 ? [`(?<![\\p{L}\\p{N}‹])(?:${apart.join("|")})(?![\\p{L}\\p{N}])`] : [];
  return new RegExp([...within, ...words].join("|"), flags);
}
