// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SlashCommand } from "./commands";
import { Composer, type ComposerProps } from "./composer";
import type { Outgoing, SendResult } from "./use-outgoing";

beforeEach(() => localStorage.clear());
afterEach(cleanup);

function setup(props: Partial<ComposerProps> = {}) {
  const sent: Outgoing[] = [];
  const onSend = vi.fn(async (message: Outgoing): Promise<SendResult> => {
    sent.push(message);
    return { ok: true };
  });
  const view = (more: Partial<ComposerProps> = {}) => (
    <Composer draftKey="ana/p/a/s1" onSend={onSend} {...props} {...more} />
  );
  const { rerender } = render(view());
  const box = screen.getByRole<HTMLTextAreaElement>("textbox");
  const type = (text: string) => fireEvent.change(box, { target: { value: text } });
  return { sent, onSend, box, type, update: (more: Partial<ComposerProps>) => rerender(view(more)) };
}
const settle = () => act(async () => {});

describe("composer: keys", () => {
  it("sends with Enter and breaks the line with Shift+Enter", async () => {
    const { sent, box, type } = setup();
    type("hello");
    expect(fireEvent.keyDown(box, { key: "Enter", shiftKey: true })).toBe(true);
    expect(sent).toHaveLength(0);
    expect(fireEvent.keyDown(box, { key: "Enter" })).toBe(false);
    await settle();
    expect(sent).toMatchObject([{ text: "hello", mode: "send", parts: [{ type: "text", text: "hello" }] }]);
    expect(box.value).toBe("");
  });

  it("KB01 KB02 KB10 does not send the Enter of a composition, in the order of Chrome and of Safari", async () => {
    const { sent, box, type } = setup();
    type("日本");
    fireEvent.compositionStart(box);
    fireEvent.keyDown(box, { key: "Enter", isComposing: true, keyCode: 229 });
    fireEvent.compositionEnd(box);
    fireEvent.keyDown(box, { key: "Enter", isComposing: false, keyCode: 229 });
    await settle();
    expect(sent).toHaveLength(0);
    expect(box.value).toBe("日本");
  });

  it("walks earlier prompts from an empty box only, and comes back to empty", () => {
    const { box, type } = setup({ history: ["first", "second"] });
    fireEvent.keyDown(box, { key: "ArrowUp" });
    expect(box.value).toBe("second");
    fireEvent.keyDown(box, { key: "ArrowUp" });
    expect(box.value).toBe("first");
    fireEvent.keyDown(box, { key: "ArrowDown" });
    fireEvent.keyDown(box, { key: "ArrowDown" });
    expect(box.value).toBe("");
    type("typed");
    fireEvent.keyDown(box, { key: "ArrowUp" });
    expect(box.value).toBe("typed");
  });
});

describe("composer: nothing is lost, nothing is sent twice", () => {
  it("KB07 a double click on Send is one message", async () => {
    let finish: (result: SendResult) => void = () => {};
    const onSend = vi.fn(() => new Promise<SendResult>((resolve) => (finish = resolve)));
    const { type } = setup({ onSend });
    type("once");
    const button = screen.getByRole("button", { name: "Send" });
    fireEvent.click(button);
    fireEvent.click(button);
    await act(async () => finish({ ok: true }));
    expect(onSend).toHaveBeenCalledTimes(1);
  });

  it("keeps text and key when it fails, and tells why", async () => {
    const seen: string[] = [];
    const onSend = vi.fn(async ({ client_id }: Outgoing): Promise<SendResult> => {
      seen.push(client_id);
      return seen.length === 1 ? { ok: false, message: "The server cannot be reached." } : { ok: true };
    });
    const { box, type } = setup({ onSend });
    type("precious");
    fireEvent.keyDown(box, { key: "Enter" });
    await settle();
    expect(box.value).toBe("precious");
    expect(screen.getByRole("alert").textContent).toContain("cannot be reached");
    fireEvent.keyDown(box, { key: "Enter" });
    await settle();
    expect(seen[1]).toBe(seen[0]);
    expect(box.value).toBe("");
  });

  it("keeps the draft per person and Session until it was sent", async () => {
    const { box, type, update } = setup();
    type("half a sentence");
    update({ draftKey: "ben/p/a/s1" });
    expect(box.value).toBe("");
    update({ draftKey: "ana/p/a/s1" });
    expect(box.value).toBe("half a sentence");
    fireEvent.keyDown(box, { key: "Enter" });
    await settle();
    expect(localStorage.length).toBe(0);
  });

  it("EN4 puts a refused prompt back, but never over another text", () => {
    const { box, update, type } = setup();
    update({ returned: { id: "1", text: "too large" } });
    expect(box.value).toBe("too large");
    type("new text");
    update({ returned: { id: "2", text: "another" } });
    expect(box.value).toBe("new text");
  });

  it("EN4 KB04 puts it back also when the refusal comes before the answer to the sending, each time", async () => {
    let finish: (result: SendResult) => void = () => {};
    const onSend = vi.fn(() => new Promise<SendResult>((resolve) => (finish = resolve)));
    const { box, type, update } = setup({ onSend });
    type("too large");
    for (const id of ["1", "2"]) {
      fireEvent.keyDown(box, { key: "Enter" });
      update({ returned: { id, text: "too large" } });
      await act(async () => finish({ ok: true }));
      expect(box.value).toBe("too large");
    }
    expect(onSend).toHaveBeenCalledTimes(2);
    fireEvent.keyDown(box, { key: "Enter" });
    await act(async () => finish({ ok: true }));
    expect(box.value).toBe("");
  });

  it("EN4 a draft that is kept is not lost to a prompt that was refused earlier", () => {
    localStorage.setItem("penguin:draft:ana/p/a/s1", "half written");
    const { box } = setup({ returned: { id: "1", text: "too large" } });
    expect(box.value).toBe("half written");
  });
});

describe("composer: while a Task runs", () => {
  it("shows Stop when empty, and names what sending does", () => {
    const onStop = vi.fn();
    const { type } = setup({ running: true, onStop });
    fireEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(onStop).toHaveBeenCalled();
    type("also this");
    expect(screen.getByRole("button", { name: "Steer" })).toBeTruthy();
  });

  it("queues while the Session is compacted", () => {
    const { type } = setup({ running: true, queueOnly: true });
    type("next");
    expect(screen.getByRole("button", { name: "Queue" })).toBeTruthy();
  });

  it("recalls a waiting message into the box", async () => {
    const onRecall = vi.fn(async () => ({ ok: true as const, text: "taken back" }));
    const { box } = setup({ running: true, queue: [{ id: "q1", kind: "task", text: "taken back" }], onRecall });
    fireEvent.click(screen.getByRole("button", { name: "Recall" }));
    await settle();
    expect(onRecall).toHaveBeenCalledWith("q1");
    expect(box.value).toBe("taken back");
  });
});

describe("composer: commands", () => {
  const run = vi.fn();
  const commands: SlashCommand[] = [
    {
      name: "model",
      title: "Switch model",
      detail: "",
      icon: null,
      act: {
        kind: "panel",
        label: "Choose the model",
        render: (done) => (
          <button type="button" onClick={() => done({ model: { provider: "p", model_id: "m2", label: "Two" } })}>
            Two
          </button>
        ),
      },
    },
    { name: "compact", title: "Compact", detail: "", icon: null, act: { kind: "run", run } },
    { name: "fork", title: "Fork", detail: "", icon: null, off: "Not now", act: { kind: "run", run } },
  ];
  const at = (box: HTMLTextAreaElement, marked: string) => {
    const caret = marked.indexOf("|");
    fireEvent.focus(box);
    fireEvent.change(box, { target: { value: marked.replace("|", "") } });
    box.setSelectionRange(caret, caret);
    fireEvent.select(box);
  };
  const options = () => screen.queryAllByRole("option").map((option) => option.textContent);

  it("1: opens at any caret position with the first entry chosen; Enter takes it and leaves the rest untouched", () => {
    const { box } = setup({ commands });
    at(box, "before /| after");
    expect(options()).toHaveLength(3);
    expect(box.getAttribute("role")).toBeNull();
    expect(box.getAttribute("aria-autocomplete")).toBe("list");
    expect(box.getAttribute("aria-activedescendant")).toBe(screen.getAllByRole("option")[0]?.id);
    fireEvent.keyDown(box, { key: "ArrowDown" });
    fireEvent.keyDown(box, { key: "Enter" });
    expect(run).toHaveBeenCalledTimes(1);
    expect(box.value).toBe("before  after");
    expect(options()).toEqual([]);
  });

  it("opens in a box that had the focus before the page was alive", () => {
    const { box } = setup({ commands });
    fireEvent.change(box, { target: { value: "/" } });
    expect(options()).toHaveLength(3);
  });

  it("Escape closes it for that token only; what cannot be used does nothing; IME keys are not its keys", () => {
    const { box, sent } = setup({ commands });
    at(box, "/com|");
    fireEvent.keyDown(box, { key: "Enter", isComposing: true, keyCode: 229 });
    expect(options()).toHaveLength(1);
    fireEvent.keyDown(box, { key: "Escape" });
    expect(options()).toEqual([]);
    at(box, "/comp|");
    expect(options()).toEqual([]);
    at(box, "/comp /fo|");
    expect(options()).toHaveLength(1);
    fireEvent.keyDown(box, { key: "Tab" });
    expect(box.value).toBe("/comp /fo");
    // The slash is gone: the next one there is another, and Enter does not send it as a message.
    at(box, "|");
    at(box, "/com|");
    expect(options()).toHaveLength(1);
    fireEvent.keyDown(box, { key: "Enter" });
    expect(sent).toHaveLength(0);
  });

  it("2, 3: a chosen model is a chip; nothing is sent until Send; after X the message is an ordinary one", async () => {
    const { box, sent, type } = setup({ commands });
    at(box, "/mo|");
    fireEvent.keyDown(box, { key: "Enter" });
    fireEvent.click(screen.getByRole("button", { name: "Two" }));
    expect(screen.getByText("Switch to Two")).toBeTruthy();
    expect(sent).toHaveLength(0);
    type("hello");
    fireEvent.click(screen.getByRole("button", { name: "Take back: Two" }));
    fireEvent.keyDown(box, { key: "Enter" });
    await settle();
    expect(sent).toMatchObject([{ text: "hello", staged: {} }]);
  });

  it("what is staged survives with the draft, waits while a Task runs, and goes with the message", async () => {
    const { box, sent, update } = setup({ commands, running: true });
    at(box, "/mo|");
    fireEvent.keyDown(box, { key: "Enter" });
    fireEvent.click(screen.getByRole("button", { name: "Two" }));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send" }).disabled).toBe(true);
    expect(screen.getByText(/when the running answer has ended/)).toBeTruthy();
    update({ draftKey: "ben/p/a/s1" });
    expect(screen.queryByText("Switch to Two")).toBeNull();
    update({ draftKey: "ana/p/a/s1", running: false });
    expect(screen.getByText("Switch to Two")).toBeTruthy();
    fireEvent.keyDown(box, { key: "Enter" });
    await settle();
    expect(sent).toMatchObject([{ text: "Please go on.", staged: { model: { model_id: "m2" } } }]);
    expect(localStorage.length).toBe(0);
  });
});

describe("composer: files", () => {
  it("refuses a file that is too large before anything is read", () => {
    const { box, sent } = setup();
    const file = new File(["x"], "big.bin");
    Object.defineProperty(file, "size", { value: 50 * 1024 * 1024 });
    fireEvent.paste(box, { clipboardData: { files: [file] } });
    expect(sent).toHaveLength(0);
    return screen.findByText(/big.bin is larger than 10 MiB/);
  });

  it("ux 11: waits for a file that is still being read, and keeps one that comes while a message is on its way", async () => {
    let finish: (result: SendResult) => void = () => {};
    const onSend = vi.fn((_: Outgoing) => new Promise<SendResult>((resolve) => (finish = resolve)));
    const { box, type } = setup({ onSend, running: true });
    const paste = (name: string) => fireEvent.paste(box, { clipboardData: { files: [new File(["x"], name)] } });
    type("look at this");
    paste("first.txt");
    fireEvent.keyDown(box, { key: "Enter" });
    await vi.waitFor(() => expect(onSend).toHaveBeenCalled());
    const names = onSend.mock.calls[0]?.[0].parts.map((part) => (part.type === "file" ? part.name : part.type));
    expect([names, onSend.mock.calls[0]?.[0].mode]).toEqual([["text", "first.txt"], "queue"]);
    paste("second.txt");
    await screen.findByText("second.txt");
    await act(async () => finish({ ok: true }));
    expect([box.value, screen.queryByText("first.txt")]).toEqual(["", null]);
    expect(screen.getByText("second.txt")).toBeTruthy();
  });
});
