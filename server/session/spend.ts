/** A model for a Session, behind the hard budgets of its Project. */
import type { SessionRef } from "../../lib/api/routes";
import type { Llm } from "../engine/ports";
import type { ResolvedModel } from "../project/models";
import { limited } from "../usage/limit";
import type { SessionHost } from "./open";

type Host = Pick<SessionHost, "createLlm" | "budgets">;

/** For Tasks. `user`: who started the one that runs. */
export function taskLlm(
  host: Host,
  ref: SessionRef,
  model: ResolvedModel,
  user: () => string | undefined,
  usedToolCallIds: Iterable<string>,
): Llm {
  return behind(host, host.createLlm(model, usedToolCallIds), ref, model, user, false);
}

/** For calls beside the Tasks: titles, descriptions. */
export function sideLlm(host: Host, ref: SessionRef, model: ResolvedModel, user: () => string | undefined): Llm {
  return behind(host, host.createLlm(model, []), ref, model, user, true);
}

function behind(
  { budgets }: Host,
  llm: Llm,
  ref: SessionRef,
  model: ResolvedModel,
  user: () => string | undefined,
  aside: boolean,
): Llm {
  if (!budgets) return llm;
  return limited(llm, budgets, () => ({ ...ref, user: user(), model, aside }));
}
