/** Who decides about a call: a rule of the Project, the Session's mode, or a person. The first decision counts; ids are made here. */
import { randomBytes } from "node:crypto";
import type { ApprovalDecided, ApprovalFrame, ApprovalRequest } from "../../lib/api/frames";
import type { ApprovalMode, ToolCallPayload } from "../../lib/omni/message";
import type { Approve, Decision, Permission } from "../engine/ports";
import type { StopReasonDetail } from "../engine/state";
import type { Veto } from "../project/command-policy";

export interface ApprovalsHost {
  mode(): ApprovalMode;
  permission(call: ToolCallPayload): Permission | null;
  /** A rule that refuses the call, whoever would allow it. */
  veto(call: ToolCallPayload): Promise<Veto | null>;
  publish(frame: ApprovalFrame): void;
}

interface Waiting {
  request: ApprovalRequest;
  settle(decision: Decision): void;
}

/** Ended waits that a late click is told about. */
const REMEMBERED = 500;

export class Approvals {
  readonly #waiting = new Map<string, Waiting>();
  /** Questions of subagents: answered here, decided there. */
  readonly #adopted = new Map<string, { request: ApprovalRequest; decide: Approvals["decide"] }>();
  readonly #ended = new Map<string, ApprovalDecided>();

  constructor(private readonly host: ApprovalsHost) {}

  /** Calls that wait for a person, oldest first. */
  pending(): ApprovalRequest[] {
    return [...this.#waiting.values(), ...this.#adopted.values()].map(({ request }) => request);
  }
  /** Ids of this Session's own calls that wait. */
  ownCalls(): string[] {
    return [...this.#waiting.values()].map(({ request }) => request.tool_call.tool_call_id);
  }

  /** A subagent asks; its own Session decides. */
  adopt(request: ApprovalRequest, decide: Approvals["decide"]): void {
    this.#adopted.set(request.id, { request, decide });
    this.host.publish(request);
  }
  /** A subagent's question is answered. */
  release(decided: ApprovalDecided): void {
    if (!this.#adopted.delete(decided.id)) return;
    this.#remember(decided);
  }

  /** The port of the loop. The mode is read for each call, so a change applies to the next decision. */
  readonly ask: Approve = async (call, signal) => {
    const veto = await this.host.veto(call);
    if (veto) return { decision: "forbidden", by: `policy:${veto.rule}`, message: veto.message };
    return decideByMode(this.host.mode(), this.host.permission(call)) ?? this.#askPerson(call, signal);
  };

  #askPerson(call: ToolCallPayload, signal: AbortSignal): Promise<Decision> {
    const since = new Date();
    const request: ApprovalRequest = {
      id: randomBytes(8).toString("hex"),
      tool_call: call,
      since: since.toISOString(),
    };
    return new Promise((resolve) => {
      const stop = () => this.#end(request.id, "deny", stoppedBy(signal));
      this.#waiting.set(request.id, {
        request,
        settle: (decision) => {
          signal.removeEventListener("abort", stop);
          resolve({ ...decision, waited_ms: Date.now() - since.getTime() });
        },
      });
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      else this.host.publish(request);
    });
  }

  /** A person's decision. The first one wins; a later one is told whose that was; null: there never was such a wait. */
  decide(id: string, decision: "allow" | "deny", by: string): { first: boolean; decided: ApprovalDecided } | null {
    const ended = this.#ended.get(id);
    if (ended) return { first: false, decided: ended };
    const adopted = this.#adopted.get(id);
    if (adopted) return adopted.decide(id, decision, by);
    const decided = this.#end(id, decision, by);
    return decided && { first: true, decided };
  }

  #end(id: string, decision: "allow" | "deny", by: string): ApprovalDecided | null {
    const waiting = this.#waiting.get(id);
    if (!waiting) return null;
    this.#waiting.delete(id);
    const decided: ApprovalDecided = { id, decision, by };
    this.#remember(decided);
    waiting.settle({ decision, by });
    return decided;
  }

  #remember(decided: ApprovalDecided): void {
    this.#ended.set(decided.id, decided);
    const oldest = this.#ended.keys().next().value;
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
    this.host.publish(decided);
  }

  /** Nobody can answer any more. */
  denyAll(by: string): void {
    for (const id of [...this.#waiting.keys()]) this.#end(id, "deny", by);
  }
}

/** What the mode decides by itself; null: a person is asked. */
export function decideByMode(mode: ApprovalMode, permission: Permission | null): Decision | null {
  if (mode === "allow-all") return { decision: "allow", by: "mode:allow-all" };
  if (mode === "deny-all") return { decision: "deny", by: "mode:deny-all" };
  if (mode === "read-only" && permission === "r") return { decision: "allow", by: "mode:read-only" };
  return null;
}

function stoppedBy(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  const isDetail = (value: unknown): value is StopReasonDetail =>
    typeof value === "object" && value !== null && "reason" in value && typeof value.reason === "string";
  return isDetail(reason) ? (reason.by ?? "policy:stopped") : "policy:request_failed";
}
