/** The goal file of a Session: written once when a goal begins, read after each round. */
import { parse, stringify } from "yaml";
import { z } from "zod";
import type { SessionRef } from "../../lib/api/routes";
import { titleText } from "../../lib/omni/blocks";
import type { Goal, GoalStatus } from "../engine/goal";
import { readText, replaceFile } from "../files";
import type { Layout } from "../paths";
import { refOfAgent } from "./open";

const MAX_BYTES = 1024 * 1024;
const goalFile = z.looseObject({ status: z.enum(["active", "complete", "blocked"]) });

/** `text`: what the person sent. `budget`: tokens; absent or -1: none. */
export async function startGoal(
  layout: Layout,
  ref: SessionRef,
  text: string,
  budget: number | undefined,
): Promise<Goal> {
  const file = layout.goalFile(refOfAgent(ref), ref.session);
  const objective = titleText(text);
  await replaceFile(file, stringify({ objective, status: "active" }));
  return {
    objective,
    file,
    budget: budget !== undefined && budget > 0 ? budget : null,
    status: () => goalStatus(file),
  };
}

/** A file that is missing or says nothing useful stops the goal: nobody would notice that it never ends. */
async function goalStatus(file: string): Promise<GoalStatus> {
  try {
    const parsed = goalFile.safeParse(parse((await readText(file, MAX_BYTES)) ?? ""));
    return parsed.success ? parsed.data.status : "blocked";
  } catch {
    return "blocked";
  }
}
