/**
 * Fragments of tool calls -> calls. Providers disagree about `index` and `id`: either may be missing, repeated or the
 * same for several calls, and fragments of parallel calls may interleave.
 */
import type { Answer, OpenCall } from "./answer";
import { asObject, asString, isArgumentObject } from "./json";

interface Draft {
  index: number | null;
  id: string;
  name: string;
  /** Arguments that came before the call could be announced. */
  early: string;
  call: OpenCall | null;
}
interface Fragment {
  index: number | null;
  id: string;
  name: string;
  args: string;
}

export class ToolFragments {
  private readonly drafts: Draft[] = [];

  /** `known`: names of the tools that were offered; they tell a name in two pieces from two names. */
  constructor(
    private readonly answer: Answer,
    private readonly known: ReadonlySet<string>,
  ) {}

  push(raw: unknown): void {
    const fragment = readFragment(raw);
    if (fragment === null) return;
    const draft = this.find(fragment) ?? this.add(fragment.index);
    if (draft.id === "") draft.id = fragment.id;
    if (draft.call === null && fragment.name !== "" && fragment.name !== draft.name) draft.name += fragment.name;
    if (draft.call === null) draft.early += fragment.args;
    else this.answer.callDelta(draft.call, fragment.args);
    // Announced as soon as it cannot get another name: once arguments begin.
    if (draft.call === null && draft.name !== "" && draft.early !== "") this.announce(draft);
  }

  /** Announces calls without arguments. False: something was called without a name. */
  end(): boolean {
    for (const draft of this.drafts) if (draft.call === null && draft.name !== "") this.announce(draft);
    return !this.drafts.some((draft) => draft.call === null && (draft.early !== "" || draft.id !== ""));
  }

  /** Are the arguments of every call whole (nothing at all counts)? */
  get whole(): boolean {
    return this.drafts.every((draft) => {
      const args = draft.call?.parts.join("") ?? draft.early;
      return args.trim() === "" || isArgumentObject(args);
    });
  }

  private add(index: number | null): Draft {
    const draft: Draft = { index, id: "", name: "", early: "", call: null };
    this.drafts.push(draft);
    return draft;
  }

  private announce(draft: Draft): void {
    draft.call = this.answer.openCall(draft.id, draft.name);
    this.answer.callDelta(draft.call, draft.early);
    draft.early = "";
  }

  /** The call a fragment continues; undefined: it begins one. */
  private find(fragment: Fragment): Draft | undefined {
    const same = fragment.index === null ? this.drafts : this.drafts.filter((d) => d.index === fragment.index);
    if (fragment.id !== "") {
      const byId = same.findLast((draft) => draft.id === fragment.id);
      if (byId !== undefined) return this.restarts(byId, fragment) ? undefined : byId;
    }
    const last = same.at(-1);
    if (last === undefined) return undefined;
    if (fragment.id !== "" && last.id !== "") return undefined;
    return this.restarts(last, fragment) ? undefined : last;
  }

  /** Does a fragment with a name begin another call, although id or index are those of this one? */
  private restarts(draft: Draft, fragment: Fragment): boolean {
    if (fragment.name === "" || draft.name === "") return false;
    const begun = draft.call !== null || draft.early !== "";
    if (fragment.name !== draft.name) return begun || !this.known.has(draft.name + fragment.name);
    // Some repeat the name in every fragment. Joining the arguments is dear, so look at their end first.
    if (fragment.args.trim() === "" || !(draft.call?.parts.at(-1) ?? draft.early).trimEnd().endsWith("}")) return false;
    return isArgumentObject(draft.call?.parts.join("") ?? draft.early);
  }
}

function readFragment(raw: unknown): Fragment | null {
  const item = asObject(raw);
  if (item === undefined) return null;
  const fn = asObject(item.function) ?? {};
  const args = asObject(fn.arguments) === undefined ? asString(fn.arguments) : JSON.stringify(fn.arguments);
  const fragment = {
    index: typeof item.index === "number" ? item.index : null,
    id: asString(item.id),
    name: asString(fn.name),
    args,
  };
  return fragment.id === "" && fragment.name === "" && args === "" ? null : fragment;
}
