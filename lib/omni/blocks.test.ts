import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPrefix, readWhole, withoutTag, writeBlock } from "./block-form";
import {
  downgradeGoal,
  extractSummary,
  readAttachments,
  readBackgroundTaskDone,
  readContextSummary,
  readGoal,
  readHandoffFrom,
  readModelSwitchFrom,
  readScheduledTask,
  readSteering,
  readUseSkills,
  titleLine,
  titleText,
  writeAttachments,
  writeBackgroundTaskDone,
  writeContextSummary,
  writeGoal,
  writeHandoffFrom,
  writeModelSwitchFrom,
  writeScheduledTask,
  writeSteering,
  writeUseSkills,
} from "./blocks";

describe("the form of a block", () => {
  it("a whole block of any body reads back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (body) => {
        expect(readWhole("context_summary", writeBlock("context_summary", body))).toBe(body);
      }),
    );
  });

  it("counts only where it may stand", () => {
    expect(readContextSummary("see [context_summary]\nx\n[/context_summary]")).toBeNull();
    expect(readContextSummary("[context_summary]\nx\n[/context_summary] and more")).toBeNull();
    expect(readUseSkills("please [use_skills]\nskills: a\n[/use_skills]")).toBeNull();
    expect(readPrefix("use_skills", "[use_skills]\nskills: a")).toBeNull();
    expect(readSteering("[user_steering]")).toBeNull();
  });

  it("FF 8: the angle form is read where there was one, never for steering and goals", () => {
    expect(readContextSummary("<context_summary>\nx\n</context_summary>")).toBe("x");
    expect(readUseSkills("<use_skills>\nskills: a\n</use_skills>\n\nhi")).toEqual({ skills: ["a"], rest: "hi" });
    expect(readSteering("<user_steering>\nx\n</user_steering>")).toBeNull();
    expect(readGoal("<goal>\nround: 1\n</goal>\n\nhi")).toBeNull();
  });

  it("scans of hostile text are linear", () => {
    const many = "[goal]".repeat(200_000);
    expect(withoutTag(many, "goal")).toBe("");
    expect(extractSummary("[summary]".repeat(200_000))).toBe("");
    expect(titleText("<use_skills>".repeat(100_000))).toBe("");
  });
});

describe("kinds", () => {
  it("prefix kinds read back, with what the person wrote", () => {
    expect(readUseSkills(writeUseSkills(["a", "b"], "do\nit"))).toEqual({ skills: ["a", "b"], rest: "do\nit" });
    const task = { schedule: "nightly", fired_at: "2026-01-01T00:00:00Z" };
    expect(writeScheduledTask(task, "go")).toBe(
      "[scheduled_task]\nschedule: nightly\nfired_at: 2026-01-01T00:00:00Z\n[/scheduled_task]\n\ngo",
    );
    expect(readScheduledTask(writeScheduledTask(task, "go"))).toEqual({ ...task, rest: "go" });
    const done = { kind: "command", id: "7", status: "exited", detail: "code 0" };
    expect(readBackgroundTaskDone(writeBackgroundTaskDone(done))).toEqual({ ...done, rest: "" });
    expect(readUseSkills(writeUseSkills(["a"], ""))).toEqual({ skills: ["a"], rest: "" });
  });

  it("whole kinds: labels only where they say more than the id, no empty fields, values on one line", () => {
    const text = writeModelSwitchFrom({
      session: { id: "session-1", label: "Fix\nthe bug (urgent)" },
      trace: "/t.jsonl",
    });
    expect(text).toBe(
      "[model_switch_from]\nsession: session-1 (Fix the bug (urgent))\ntrace: /t.jsonl\n[/model_switch_from]",
    );
    expect(readModelSwitchFrom(text)).toEqual({
      session: { id: "session-1", label: "Fix the bug (urgent)" },
      trace: "/t.jsonl",
    });
    const handoff = { agent: { id: "coder", label: "coder" }, session: { id: "s", label: "T" }, workspace: "/w" };
    expect(writeHandoffFrom(handoff)).toBe(
      "[handoff_from]\nagent: coder\nsession: s (T)\nworkspace: /w\n[/handoff_from]",
    );
    expect(readHandoffFrom(writeHandoffFrom(handoff))).toEqual({ ...handoff, agent: { id: "coder" } });
    expect(readHandoffFrom("[handoff_from]\nprose here\nagent: x\n[/handoff_from]")).toEqual({ agent: { id: "x" } });
  });

  it("steering and summaries read back", () => {
    expect(writeSteering("left")).toBe("[user_steering]\nleft\n[/user_steering]");
    expect(readSteering(writeSteering(""))).toBe("");
    expect(readContextSummary(writeContextSummary("a\n[/context_summary]\nb"))).toBe("a\n[/context_summary]\nb");
  });

  it("a goal's closing tag starts its line; held over, its protocol is gone", () => {
    const text = writeGoal(2, "file: /g.yaml\n```yaml\nobjective: say [/goal]\n```", "the objective");
    expect(readGoal(text)).toEqual({ round: 2, rest: "the objective" });
    expect(downgradeGoal(text)).toBe(
      "[goal round 2 of an ended goal run — protocol omitted; do not act on it]\n\nthe objective",
    );
    expect(downgradeGoal("plain")).toBe("plain");
  });
});

describe("attachment lines", () => {
  const both = [
    { kind: "image", path: "/s/a.png" },
    { kind: "file", path: "/s/b.txt" },
  ] as const;

  it("read back from the end of the text", () => {
    const text = writeAttachments("look", [...both]);
    expect(text).toBe("look\n\n[attached image: /s/a.png]\n[attached file: /s/b.txt]");
    expect(readAttachments(text, () => true)).toEqual({ text: "look", attachments: both });
    expect(readAttachments(writeAttachments("", [...both]), () => true)).toEqual({ text: "", attachments: both });
  });

  it("a line that is not accepted stays text, and so does all above it", () => {
    const text = writeAttachments("look", [{ kind: "image", path: "/etc/x" }, both[1]]);
    expect(readAttachments(text, ({ path }) => path.startsWith("/s/"))).toEqual({
      text: "look\n\n[attached image: /etc/x]",
      attachments: [both[1]],
    });
    expect(readAttachments("[attached file: /s/a]\nwords", () => true).attachments).toEqual([]);
  });
});

describe("FF 5.7: the summary in an answer", () => {
  it.each([
    ["[summary]a[/summary]", "a"],
    ["[summary]\nFINAL\nSUMMARY\n[/summary]", "FINAL\nSUMMARY"],
    ["words [summary][/summary] [summary]second[/summary]", "second"],
    ["<summary>old form</summary>", "old form"],
    ["<summary>angle</summary> [summary]square[/summary]", "square"],
    ["[summary][summary]nested start[/summary]", "nested start"],
    ["[summary][/summary]\nbody behind an empty pair", "body behind an empty pair"],
    ["[summary]never closed", "never closed"],
    ["no tags", "no tags"],
    ["[summary] [/summary]<summary></summary>", ""],
    ["   ", ""],
  ])("%j → %j", (answer, summary) => {
    expect(extractSummary(answer)).toBe(summary);
  });
});

describe("title text", () => {
  it.each([
    [writeUseSkills(["a"], "Fix it"), "Fix it"],
    [writeGoal(1, "rules", "Reach it"), "Reach it"],
    [writeHandoffFrom({ agent: { id: "a" } }), ""],
    ["<scheduled_task>\nschedule: x\n</scheduled_task>\n\nRun", "Run"],
    ["stray [/use_skills] tags <goal>", "stray  tags"],
    ["plain [text] stays", "plain [text] stays"],
  ])("%j → %j", (text, title) => {
    expect(titleText(text)).toBe(title);
  });

  it("a message that is only a file is called by its name", () => {
    const file = "[attached file: /data/p/scratchpad/s/plan [1].md]";
    expect(titleLine(`\n${file}\n[attached image: /x/b.png]`)).toBe("plan [1].md");
    expect(titleLine(`  Read this \n\n${file}`)).toBe("Read this");
    expect(titleLine(" \n")).toBeUndefined();
  });
});
