/**
 * The answer under construction, the same for every protocol: start, delta… and stop of each fragment, then the
 * complete message (FF 2.4). Text and thinking are closed before a tool call opens (FF 2.7). Here, before anybody sees
 * a word, the endpoint's key is taken out of what it says (AC3).
 */
import type { StreamMask } from "../../lib/mask";
import { model } from "../../lib/omni/build";
import type { CompletePayload, Fidelity, PartialPayload, StopReason } from "../../lib/omni/message";
import type { LlmEvent } from "../engine/ports";
import type { CallIds } from "./call-ids";
import { isObject } from "./json";
import type { AnswerMask } from "./secrets";

interface Prose {
  kind: "text" | "thinking";
  parts: string[];
  fidelity?: Fidelity;
  /** Has its start been told? A block without a word is told as a whole, and only if it carries something. */
  begun: boolean;
  masking?: StreamMask;
}
/** A tool call that is being streamed. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly parts: string[];
  fidelity?: Fidelity;
  masking?: StreamMask;
}

export class Answer {
  private events: LlmEvent[] = [];
  private prose: Prose | null = null;
  private readonly calls: OpenCall[] = [];
  /** Has anything but thinking been said? */
  substantial = false;

  constructor(
    private readonly ids: CallIds,
    /** null: there is no key that could be repeated. */
    private readonly mask: AnswerMask | null = null,
  ) {}

  /** Events since the last time. */
  take(): LlmEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  text(delta: string): void {
    if (delta === "") return;
    this.substantial ||= delta.trim() !== "";
    this.hear(this.openProse("text"), delta);
  }

  /** `fidelity` of the fragment that is opened; ignored when thinking is open already. */
  thinking(delta: string, fidelity?: Fidelity): void {
    if (delta === "") return;
    this.hear(this.openProse("thinking", fidelity), delta);
  }

  /** Opaque data that belongs to the thinking: joins the open fragment, or becomes a record of its own. */
  attach(fidelity: Fidelity): void {
    if (this.prose?.kind === "thinking") {
      this.prose.fidelity = { ...this.prose.fidelity, ...fidelity };
      return;
    }
    this.complete({ type: "thinking", role: "assistant", thinking: "", stop_reason: "completed", fidelity });
  }

  get thinkingIsOpen(): boolean {
    return this.prose?.kind === "thinking";
  }

  get textIsOpen(): boolean {
    return this.prose?.kind === "text";
  }

  /**
   * A block of its own begins, in protocols that say so: what was open before is whole, calls included, so that the
   * order of the records is the order of the blocks. It stays open until the next one begins or the answer ends.
   */
  block(kind: "text" | "thinking", fidelity: Fidelity = {}): void {
    this.completeCalls("completed");
    this.closeProse("completed");
    this.prose = { kind, parts: [], fidelity, begun: false };
  }

  /** Opaque data of the block that is open. */
  seal(fidelity: Fidelity): void {
    if (this.prose) this.prose.fidelity = { ...this.prose.fidelity, ...fidelity };
  }

  /** `providerId` may be empty or taken: the id is made unique. */
  openCall(providerId: string, name: string): OpenCall {
    this.closeProse("completed");
    this.substantial = true;
    const clean = (said: string) => this.mask?.text(said) ?? said;
    const call = { id: this.ids.claim(clean(providerId)), name: clean(name), parts: [], masking: this.mask?.stream() };
    this.calls.push(call);
    this.fragment(callFragment(call, "start", call.name, ""));
    return call;
  }

  callDelta(call: OpenCall, delta: string): void {
    this.tellCall(call, call.masking?.push(delta) ?? delta);
  }

  private tellCall(call: OpenCall, delta: string): void {
    if (delta === "") return;
    call.parts.push(delta);
    this.fragment(callFragment(call, "delta", "", delta));
  }

  /** Closes what is open. `prose` says how the last text ended, `calls` whether calls may run. */
  finish(prose: StopReason, calls: StopReason): void {
    this.completeCalls(calls);
    this.closeProse(prose);
  }

  private completeCalls(stop_reason: StopReason): void {
    for (const call of this.calls.splice(0)) {
      this.tellCall(call, call.masking?.flush() ?? "");
      this.fragment({ ...callFragment(call, "stop", "", ""), stop_reason });
      const said = call.parts.join("");
      this.complete({
        type: "tool_call",
        role: "assistant",
        name: call.name,
        arguments: this.mask?.args(said) ?? said,
        tool_call_id: call.id,
        stop_reason,
        ...(call.fidelity ? { fidelity: call.fidelity } : {}),
      });
    }
  }

  private openProse(kind: Prose["kind"], fidelity?: Fidelity): Prose {
    if (this.prose?.kind === kind) return this.prose;
    this.closeProse("completed");
    this.prose = { kind, parts: [], fidelity, begun: false };
    return this.prose;
  }

  private hear(prose: Prose, delta: string): void {
    if (this.mask) prose.masking ??= this.mask.stream();
    this.tell(prose, prose.masking?.push(delta) ?? delta);
  }

  private tell(prose: Prose, delta: string): void {
    if (delta === "") return;
    if (!prose.begun) this.fragment(proseFragment(prose.kind, "start", ""));
    prose.begun = true;
    prose.parts.push(delta);
    this.fragment(proseFragment(prose.kind, "delta", delta));
  }

  private closeProse(stop_reason: StopReason): void {
    const prose = this.prose;
    if (prose === null) return;
    this.tell(prose, prose.masking?.flush() ?? "");
    this.prose = null;
    const whole = prose.parts.join("");
    const extra = prose.fidelity && Object.keys(prose.fidelity).length > 0 ? { fidelity: prose.fidelity } : {};
    if (!prose.begun && !("fidelity" in extra)) return;
    if (prose.begun) this.fragment({ ...proseFragment(prose.kind, "stop", ""), stop_reason });
    if (prose.kind === "text") this.complete({ type: "text", role: "assistant", text: whole, stop_reason, ...extra });
    else this.complete({ type: "thinking", role: "assistant", thinking: whole, stop_reason, ...extra });
  }

  private fragment(payload: PartialPayload): void {
    this.events.push({ kind: "message", message: model(payload) });
  }

  private complete(given: CompletePayload): void {
    const opaque = "fidelity" in given ? given.fidelity : undefined;
    const payload = this.mask && isObject(opaque) ? { ...given, fidelity: this.mask.fidelity(opaque) } : given;
    this.events.push({ kind: "message", message: model(payload) });
  }
}

function proseFragment(kind: Prose["kind"], event_type: "start" | "delta" | "stop", words: string): PartialPayload {
  const role = "assistant";
  if (kind === "text") return { type: "partial_text", role, event_type, text: words };
  return { type: "partial_thinking", role, event_type, thinking: words };
}

function callFragment(call: OpenCall, event_type: "start" | "delta" | "stop", name: string, args: string) {
  return {
    type: "partial_tool_call" as const,
    role: "assistant" as const,
    event_type,
    name,
    arguments: args,
    tool_call_id: call.id,
  };
}
