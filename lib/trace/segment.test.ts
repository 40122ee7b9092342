import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressed, sequence } from "./fixtures/sequence";
import { Segmenter, segment } from "./segment";
import { activeTime, approvalWait, type Task, taskContext, taskSpan, taskTokens } from "./task";

const tasksOf = (notation: string) => segment(addressed(sequence(notation)));
/** "task 2-7: completed completed" — kind, first and last line, how its Requests ended. */
function drawn(task: Task): string {
  const ends = task.requests.map((request) => request.end?.result.status ?? "open");
  return `${task.kind} ${task.start.address.line}-${task.end.address.line}: ${ends.join(" ")}`.trimEnd();
}
const drawing = (notation: string) => tasksOf(notation).map(drawn);

describe("P5: what a Task is", () => {
  it.each<[string, string, string[]]>([
    ["plain answer", "M U B T A K E", ["task 2-7: completed"]],
    [
      "tools, outputs before and after the end",
      "M U B C1 D1 O1 C2 D2 K E O2 B A K E",
      ["task 2-15: completed completed"],
    ],
    ["two Tasks", "M U B A K E U B A K E", ["task 2-6: completed", "task 7-11: completed"]],
    ["several records make one Prompt", "M U I U B A E", ["task 2-7: completed"]],
    ["usage behind the end", "M B U A E K B U A E K", ["task 2-6: completed", "task 7-11: completed"]],
    [
      "retries continue a Task",
      "M U B A(timeout) E(timeout,1,2000) B A K E(completed,2)",
      ["task 2-9: timeout completed"],
    ],
    ["retries exhausted", "M U B E(failed,6) X U B A E", ["task 2-5: failed", "task 6-9: completed"]],
    ["/retry repeats a failed Task", "M U B E(auth) X B A E", ["task 2-8: auth completed"]],
    ["steering with its images starts none", "M U B C1 D1 O1 K E Z I B A E", ["task 2-13: completed completed"]],
    ["steering alone keeps the Task going", "M U B A K E Z B A K E", ["task 2-11: completed completed"]],
    [
      "an image that follows no steering is a Prompt",
      "M U B A K E Z B A E I B A E",
      ["task 2-10: completed completed", "task 11-14: completed"],
    ],
    [
      "stopped while a tool ran",
      "M U B C1 D1 K E O1(aborted) X U B A E",
      ["task 2-9: completed", "task 10-13: completed"],
    ],
    ["maximum of turns", "M U B C1 D1 K E O1 N U B A E", ["task 2-9: completed", "task 10-13: completed"]],
    ["a trailing Prompt is a Task", "M U B A K E U", ["task 2-6: completed", "task 7-7:"]],
    ["a crash orphans a Request", "M U B C1 D1 U B A E", ["task 2-5: open", "task 6-9: completed"]],
    ["two Prompts by two posts", "M U(a) U(b) B A E", ["task 2-2:", "task 3-6: completed"]],
    ["goal rounds", "M G(1) B A E G(2) B A E", ["task 2-5: completed", "task 6-9: completed"]],
    [
      "compaction between Tasks",
      "M U B A K E CB U B A K E CE U B A E",
      ["task 2-6: completed", "compaction 7-13: completed", "task 14-17: completed"],
    ],
    [
      "compaction inside a Task",
      "M U B C1 D1 O1 K E CB U B A K E CE S B A K E",
      ["task 2-20: completed completed", "compaction 9-15: completed"],
    ],
    [
      "rejected summary",
      "M U B A K E CB U B T K E U B A K E CE",
      ["task 2-6: completed", "compaction 7-18: completed completed"],
    ],
    [
      "a failed compaction is no retry of the Task",
      "M U B A E CB U B E(failed) CE(failed) U B A E",
      ["task 2-5: completed", "compaction 6-10: failed", "task 11-14: completed"],
    ],
    [
      "discard",
      "M U B A E CB(discard) CE(completed,discard) U B A E",
      ["task 2-5: completed", "compaction 6-7:", "task 8-11: completed"],
    ],
    [
      "a dangling compaction ends where somebody writes",
      "M U B A E CB U B U B A E",
      ["task 2-5: completed", "compaction 6-8: open", "task 9-12: completed"],
    ],
    ["summary and settings are no Task", "M S V U B A E", ["task 4-7: completed"]],
  ])("%s: %s", (_name, notation, expected) => {
    expect(drawing(notation)).toEqual(expected);
  });

  it("names the Task around a compaction, and only then", () => {
    expect(tasksOf("M U B C1 D1 O1 K E CB U B A E CE S B A E")[1]?.within).toBe(0);
    expect(tasksOf("M U B A E CB U B A E CE")[1]?.within).toBeNull();
  });

  it("an abort during a compaction between Tasks belongs to the compaction", () => {
    const [task, compaction] = tasksOf("M U B A E CB U B E(aborted) CE(aborted) X");
    expect([task?.abort, compaction?.abort?.payload.reason]).toEqual([null, "aborted by user"]);
  });

  it("records of children are not segmented", () => {
    const records = addressed(sequence("M U B A E"));
    const child = sequence("U B A E").map((message) => ({ ...message, origin: ["session-child"] }));
    expect(segment([...records, ...addressed(child)])).toEqual(segment(records));
  });

  it("pushing record by record gives the same, and names each record's Task", () => {
    const records = addressed(sequence("M U B C1 D1 O1 K E Z B A E CB U B A E CE S U B A E"));
    const segmenter = new Segmenter();
    const owners = records.map((record) => segmenter.push(record)?.index ?? "-");
    expect(segmenter.tasks).toEqual(segment(records));
    expect(owners.join("")).toBe("-00000000000111111-2222");
  });

  it("any sequence of records: Requests are numbered through, each in one Task, Tasks in order", () => {
    const letter = fc.constantFrom(
      "U",
      "I",
      "B",
      "E",
      "E(failed)",
      "E(timeout,1,1)",
      "A",
      "C1",
      "C2",
      "D1",
      "O1",
      "K",
      "X",
      "CB",
      "CE",
      "S",
      "Z",
      "N",
    );
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 40 }), (letters) => {
        const tasks = tasksOf(letters.join(" "));
        const begins = letters.filter((entry) => entry === "B").length;
        const indexes = tasks.flatMap((task) => task.requests.map((request) => request.index)).sort((a, b) => a - b);
        expect(indexes).toEqual(Array.from({ length: begins }, (_, index) => index));
        expect(tasks.map((task) => task.index)).toEqual(tasks.map((_, index) => index));
        const starts = tasks.map((task) => task.start.address.line);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        for (const task of tasks) expect(task.end.address.line).toBeGreaterThanOrEqual(task.start.address.line);
      }),
    );
  });
});

describe("what a Request tells", () => {
  it("counts attempts and measures the waits between them", () => {
    const [task] = tasksOf("M U B E(timeout,1,2000) B E(timeout,2,4000) B A E(completed,3)");
    expect(task?.requests.map(({ attempt, retry_waited_ms }) => [attempt, retry_waited_ms])).toEqual([
      [1, null],
      [2, 1000],
      [3, 1000],
    ]);
  });

  it("attributes usage in both record orders", () => {
    for (const notation of ["M U B A K E U B A K E", "M B U A E K B U A E K"]) {
      expect(tasksOf(notation).map((task) => taskTokens(task).total)).toEqual([11, 11]);
    }
  });

  it("context is the last snapshot of a Task, tokens are its sum", () => {
    const [task] = tasksOf("M U B C1 D1 O1 K E B A K E");
    expect(task && [taskContext(task)?.total, taskTokens(task).total, taskSpan(task)]).toEqual([11, 22, 9000]);
  });

  it("spans: each message from the one before it, each tool from its decision to its output", () => {
    const [request] = tasksOf("M U B T C1 D1 C2 D2(deny) O2(aborted) K E O1")[0]?.requests ?? [];
    const second = (timestamp: string | undefined) => new Date(timestamp ?? 0).getUTCSeconds();
    expect(request?.answer.map((span) => [span.kind, second(span.from), second(span.at.timestamp)])).toEqual([
      ["thinking", 2, 3],
      ["tool_call", 3, 4],
      ["tool_call", 5, 6],
    ]);
    expect(
      request?.tools.map((tool) => [tool.approval?.decision, second(tool.output?.timestamp), tool.output?.stop_reason]),
    ).toEqual([
      ["allow", 11, "completed"],
      ["deny", 8, "aborted"],
    ]);
    expect(request && [approvalWait(request), activeTime(request)]).toEqual([2000, 6000]);
  });

  it("approvals one at a time: the second call waits only from the first decision on", () => {
    const [request] = tasksOf("M U B C1 C2 D1 D2 K E O1 O2")[0]?.requests ?? [];
    expect(request?.tools.map((tool) => tool.waited_ms)).toEqual([2000, 1000]);
  });

  it("the end of something in the background belongs to the Task that goes on; an idle Session gets a Task of its own", () => {
    const report = "[background_task_done]\nkind: command\nid: proc-1\nstatus: completed\n[/background_task_done]";
    const told = (notation: string, at: number) => {
      const records = addressed(sequence(notation));
      const record = records[at];
      if (record?.message.payload.type !== "text") throw new Error("no text there");
      record.message.payload.text = report;
      return segment(records);
    };
    expect(told("M U B C1 D1 E O1 U B A E", 7).map(({ requests }) => requests.length)).toEqual([2]);
    expect(told("M U B A E U B A E", 5).map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  it("a call that the model did not finish is no tool span", () => {
    expect(tasksOf("M U B C1(aborted) E(aborted)")[0]?.requests[0]?.tools).toEqual([]);
  });
});
