/**
 * What an endpoint does not take, learnt from its own refusals: a 400 that names an optional field is answered by the
 * same request without it, and remembered. The chat protocol has its own list (`chat-dialect.ts`).
 */

import { catalogModelOf } from "../../lib/model/catalog";
import type { ClientType } from "../../lib/model/protocol";
import { type SentThinking, sentThinking, type ThinkingForm, thinkingForm } from "../../lib/model/thinking";
import type { ThinkingLevel } from "../../lib/omni/message";
import type { ModelConfig } from "./model-config";
import type { ProviderFailure } from "./outcome";

export interface Habits {
  readonly refused: readonly ThinkingLevel[];
  readonly form?: ThinkingForm;
  /** Optional members that it does not know: "include", "summary", "cache_control". */
  readonly without: readonly string[];
  /** Largest output it allows. Tokens. */
  readonly max_tokens?: number;
}
const NONE: Habits = { refused: [], without: [] };

const MAX_REMEMBERED = 200;
const remembered = new Map<string, Habits>();

/** What one endpoint and model take, and what is sent to them for thinking. */
export class Manners {
  private readonly key: string;

  constructor(
    private readonly client_type: ClientType,
    private readonly model: ModelConfig,
    url: string,
    /** Optional members, and how a refusal names them. */
    private readonly optional: Readonly<Record<string, RegExp>> = {},
  ) {
    this.key = `${client_type} ${url} ${model.model_id}`;
  }

  get habits(): Habits {
    return remembered.get(this.key) ?? NONE;
  }

  takes(member: string): boolean {
    return !this.habits.without.includes(member);
  }

  thinking(level: ThinkingLevel, max_tokens?: number): SentThinking {
    const { refused, form } = this.habits;
    const supported = catalogModelOf(this.model.provider, this.model.model_id)?.thinking;
    return sentThinking(this.client_type, this.model.model_id, level, { refused, form, supported, max_tokens });
  }

  /** Is there another try after this refusal of what was sent? */
  learn({ http_status, body }: ProviderFailure, sent: SentThinking): boolean {
    if (http_status !== 400 && http_status !== 422) return false;
    const next = this.lesson(body, sent);
    if (next === null) return false;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(this.key, next);
    return true;
  }

  private lesson(words: string, sent: SentThinking): Habits | null {
    const now = this.habits;
    const bound = /max(?:_output)?_tokens\D{0,20}\d+ > (\d+)/.exec(words)?.[1];
    if (bound && Number(bound) !== now.max_tokens) return { ...now, max_tokens: Number(bound) };
    const member = Object.keys(this.optional).find((name) => this.takes(name) && this.optional[name]?.test(words));
    if (member) return { ...now, without: [...now.without, member] };
    if (sent.level === null || !/think|effort|reasoning|budget|output_config/i.test(words)) return null;
    const form = now.form ?? thinkingForm(this.client_type, this.model.model_id);
    const other = otherForm(this.client_type, form, sent.level, words);
    // One change of form: a second one would go round in circles. A range or a value is no matter of form.
    if (other && now.form === undefined) return { ...now, form: other };
    if (NOT_KNOWN.test(words) && !/supported values|supports? only|must be one of/i.test(words)) {
      return { ...now, form: "no" };
    }
    return { ...now, refused: [...now.refused, sent.level] };
  }
}

/** The member as such is not known, not only its value. */
const NOT_KNOWN =
  /unsupported parameter|unknown (parameter|name|field)|unrecognized|not permitted|(thinking|reasoning) is not supported|not support (thinking|reasoning)/i;

/** Messages protocol: a budget is refused where thinking is adaptive, and the other way round. */
function otherForm(type: ClientType, form: ThinkingForm, level: ThinkingLevel, words: string): ThinkingForm | null {
  if (level === "none") return null;
  if (type === "anthropic-messages") {
    const about = /adaptive|thinking\.type/.test(words) || (/output_config/.test(words) && NOT_KNOWN.test(words));
    return about ? (form === "budget" ? "adaptive" : "budget") : null;
  }
  if (type !== "gemini" || /\binvalid\b|range/.test(words)) return null;
  if (form === "level") return /thinking[_ ]?level/i.test(words) ? "budget" : null;
  return /thinking[_ ]?budget/i.test(words) ? "level" : null;
}
