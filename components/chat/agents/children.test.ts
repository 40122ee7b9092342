import { expect, it } from "vitest";
import * as say from "@/lib/trace/fixtures/conversation";
import { childrenOf } from "./children";

const pointer = (session_id: string, extra = {}) => say.say("event_msg", { type: "subagent", session_id, ...extra });

it("tells each subagent once, with its task, its Agent and how it stands", () => {
  const t = say.of(
    say.user("q"),
    say.begin(),
    say.call("c1", "run_subagent"),
    say.decision("c1"),
    say.call("c2", "run_subagent"),
    say.decision("c2"),
    say.end(),
    pointer("s1"),
    pointer("s2", { agent: "other" }),
    say.output("c1", "done"),
  );
  const found = childrenOf(t);
  expect(found.map(({ session, agent, outcome }) => [session, agent, outcome])).toEqual([
    ["s1", undefined, "done"],
    ["s2", "other", "working"],
  ]);
  expect(found[0]?.to).toBeDefined();
  expect(found[1]?.to).toBeUndefined();
});
