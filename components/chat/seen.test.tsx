// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { textOf } from "@/lib/i18n/t";
import { ConversationProvider } from "./conversation-context";
import { ToolCallArguments, toolTitle } from "./items/tool-call-arguments";
import { seen } from "./seen";
import { readArguments } from "./tool-arguments";

afterEach(cleanup);

const view = {
  sessionRef: { project: "p", agent: "a", session: "s" },
  ...{ userId: "ann", canWork: true, active: true, approvals: [], subagents: [], decided: {} },
  ...{ onDecided: () => {}, onRetryNow: () => {}, onStop: () => {} },
};

it("AT14: a call cannot hide or turn round a part of what a person allows", () => {
  const hidden = "echo ok \u202e# fr- mr\u202c\u200b;\u0000\u001b[2K rm -rf x";
  const plain = "echo ok [U+202E]# fr- mr[U+202C][U+200B];[U+0000][U+001B][2K rm -rf x";
  for (const name of ["exec_command", "write_file", "edit_file", "other\u202e"]) {
    const given = JSON.stringify({
      cmd: hidden,
      file_path: `a\u202etxt`,
      content: hidden,
      old_string: hidden,
      x: [hidden],
    });
    const args = readArguments(given, false);
    const item = {
      kind: "tool",
      at: "",
      started_at: "",
      streaming: false,
      name,
      arguments: given,
      call_id: "c",
    } as const;
    const { container, unmount } = render(
      <ConversationProvider value={view}>
        {toolTitle((key) => key, name, args)}
        <ToolCallArguments item={item} args={args} />
      </ConversationProvider>,
    );
    expect(container.textContent).toContain(name === "edit_file" ? "a[U+202E]txt" : plain);
    expect(container.textContent).toContain("cannot be seen");
    expect(seen(container.textContent ?? "")).toBe(container.textContent);
    unmount();
  }
});

it("what people of all scripts write stays as it is, and a name turns no sentence round", () => {
  for (const text of ["a\tb\r\nc\n", "مى‌خواهم", "👩‍👧 1️⃣ ©️", "क्‍ष", "你好　“”"]) expect(seen(text)).toBe(text);
  expect(textOf("The model {model} is gone.", { model: "x\u202egnp\u2066" })).toBe("The model xgnp is gone.");
});
