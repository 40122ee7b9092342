/**
 * What an endpoint knows and may repeat anywhere (AC3): the key it was sent, and what stands in the query of its
 * address. Taken out of everything that comes from it, here, before anybody sees it.
 */
import { MIN_SECRET_CHARS, StreamMask } from "../../lib/mask";
import { isObject, type JsonObject, parseJson } from "./json";
import type { ModelConfig } from "./model-config";
import { urlSecrets } from "./url-secrets";

export const KEY_MARK = "[key]";

/** Words that stand where a server wants a key and does not look at it: masking them would spoil ordinary text. */
const PLACEHOLDERS = /^(lm-?studio|not-?needed|placeholder|no-key-required|sk-no-key-required|anything|dummy-key)$/i;

/** What must not be repeated. */
export function secretsOf({ api_key, base_url }: Pick<ModelConfig, "api_key" | "base_url">): string[] {
  return [api_key ?? "", ...(base_url ? urlSecrets(base_url) : [])].filter((secret) => secret !== "");
}

/** A secret as it is, and as it stands inside of JSON or of an address. */
export function spellingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

/** Masks what an endpoint answers. */
export class AnswerMask {
  private constructor(private readonly spellings: readonly string[]) {}

  /** null: there is nothing to look for. Short ones are not masked: ordinary text would be. */
  static of(secrets: readonly string[]): AnswerMask | null {
    const long = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS && !PLACEHOLDERS.test(secret));
    return long.length === 0 ? null : new AnswerMask(long.flatMap(spellingsOf));
  }

  /** For one text that comes in pieces. */
  stream(): StreamMask {
    return new StreamMask(this.spellings, KEY_MARK);
  }

  /** A whole text. */
  text(text: string): string {
    return this.spellings.reduce((clean, secret) => clean.replaceAll(secret, KEY_MARK), text);
  }

  /** Arguments of a call are the very same text unless a secret stands in them, also spelt with escapes of JSON. */
  args(text: string): string {
    if (!/\\[u/]/.test(text)) return text;
    const parsed = parseJson(text)?.value;
    if (!isObject(parsed)) return text;
    const clean = this.fidelity(parsed);
    return clean === parsed ? text : JSON.stringify(clean);
  }

  /** Opaque data is the very same object unless a secret stands in it. */
  fidelity<T extends JsonObject>(given: T): T | JsonObject {
    const entries = Object.entries(given).map(([name, value]) => [this.text(name), this.value(value)] as const);
    const same = entries.every(([name, value]) => Object.hasOwn(given, name) && Object.is(given[name], value));
    return same ? given : Object.fromEntries(entries);
  }

  private value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (isObject(value)) return this.fidelity(value);
    if (!Array.isArray(value)) return value;
    const clean = value.map((one) => this.value(one));
    return clean.every((one, i) => Object.is(one, value[i])) ? value : clean;
  }
}
