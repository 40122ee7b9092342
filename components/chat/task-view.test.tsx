// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { OmniMessage } from "@/lib/omni/message";
import * as say from "@/lib/trace/fixtures/conversation";
import type { Transcript } from "@/lib/trace/transcript-items";
import { ConversationProvider, type ConversationView } from "./conversation-context";
import { TaskView } from "./task-view";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const VIEW: ConversationView = {
  sessionRef: { project: "p", agent: "a", session: "s1" },
  userId: "ana",
  canWork: true,
  active: false,
  approvals: [],
  subagents: [],
  decided: {},
  onDecided: () => {},
  onRetryNow: () => {},
  onStop: () => {},
};

function show(transcript: Transcript, view: Partial<ConversationView> = {}) {
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <ConversationProvider value={{ ...VIEW, ...view }}>
        {transcript.tasks.map((task, i) => (
          <TaskView key={task.id} task={task} last={i === transcript.tasks.length - 1} />
        ))}
      </ConversationProvider>
    </QueryClientProvider>,
  ).container;
}
const openAll = () => {
  for (let i = 0; i < 3; i++)
    for (const button of screen.queryAllByRole("button", { expanded: false })) fireEvent.click(button);
};
const answer = (text: string) => say.of(say.user("q"), say.begin(), say.text(text), say.end());

// The parser of Markdown loads with the first text.
beforeAll(async () => {
  show(answer("# Loaded"));
  await screen.findByRole("heading", { name: "Loaded" }, { timeout: 25_000 });
  cleanup();
}, 30_000);

describe("items: every kind of record is shown", () => {
  it("TP16 a turn without text or call says so; one that was stopped does not", () => {
    expect(show(say.of(say.user("q"), say.begin(), say.end())).textContent).toContain("The model gave no answer.");
    cleanup();
    const stopped = say.of(say.user("q"), say.begin(), say.end("aborted"), say.abort({ by: "ana" }));
    expect(show(stopped).textContent).not.toContain("no answer");
    cleanup();
    expect(show(answer("here")).textContent).not.toContain("no answer");
  });

  it("shows a Task with prompt, marker, thinking, tool, decision, output, steering, retry, stop and unknown records", () => {
    const page = show(
      say.of(
        say.user("[use_skills]\nskills: pdf, web\n[/use_skills]\n\nplease", { author: "ben" }),
        say.begin(),
        say.end("timeout", { attempt: 1, retry_in_ms: 2000, error_message: "502 upstream" }),
        say.begin(),
        say.thinking("let me see"),
        say.call("c1"),
        say.decision("c1", "allow", { by: "ana", waited_ms: 3000 }),
        say.usage(5),
        say.end(),
        say.output("c1", "file.txt"),
        say.user("[user_steering]\nhurry\n[/user_steering]", { author: "ben" }),
        say.begin(),
        say.text("done"),
        say.say("event_msg", { type: "brand_new" }),
        say.end("aborted"),
        say.abort({ by: "ana", reason: "aborted by user" }),
      ),
    );
    openAll();
    const text = page.textContent ?? "";
    for (const words of [
      "With skills: pdf, web",
      "please",
      "502 upstream",
      "let me see",
      "Run command",
      "Allowed by you",
      "after 3 s",
      "file.txt",
      "Steered by ben",
      "hurry",
      "done",
      "brand_new",
      "Stopped by you",
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain("[use_skills]");
    expect(text).not.toContain("[user_steering]");
  });

  it("people are called by their names with the id beside, unknown ones by the id, and those of an imported file as strangers", () => {
    const names = new Map([
      ["ana", "Ana Example"],
      ["ben", "Ben Example"],
    ]);
    const transcript = say.of(
      say.user("q", { author: "ben" }),
      say.begin(),
      say.call("c1"),
      say.decision("c1", "allow", { by: "ben" }),
      say.end("aborted"),
      say.abort({ by: "zoe", reason: "aborted by user" }),
    );
    const page = show(transcript, { names });
    openAll();
    expect(screen.getByRole("article", { name: "Message by Ben Example" })).toBeTruthy();
    expect(screen.getByText("Ben Example").title).toBe("ben");
    expect(screen.getByText("Allowed by Ben Example").title).toBe("ben");
    expect(screen.getByText("Stopped by zoe").title).toBe("");
    expect(page.textContent).not.toMatch(/by ben/);
    cleanup();
    // In a file that came from elsewhere anybody can write these ids, also that of the person who reads.
    const forged = say.of(
      say.user("q", { author: "ana" }),
      say.begin(),
      say.call("c1"),
      say.decision("c1", "deny", { by: "ben" }),
      say.end("aborted"),
      say.abort({ by: "ana", reason: "aborted by user" }),
    );
    show(forged, { names, fromFile: () => true });
    openAll();
    expect(screen.getByText("ana, from the file").title).toBe("");
    expect(screen.getByText("Denied by ben, from the file")).toBeTruthy();
    expect(screen.getByText("Stopped by ana, from the file")).toBeTruthy();
    expect(screen.queryByText(/Example|by you/)).toBeNull();
  });

  it("a compaction tells how it ended, why, and what summary it left", () => {
    const span = (...inner: (OmniMessage | OmniMessage[])[]) => [
      ...[say.compactionBegin(), say.user("summarise"), say.begin()],
      ...inner.flat(),
    ];
    const done = show(
      say.of(
        ...[say.user("q"), say.begin(), say.text("a"), say.end()],
        ...span(say.text("[summary]**bold** facts[/summary]"), say.end(), say.compactionEnd()),
      ),
    );
    openAll();
    expect(done.textContent).toContain("Context compacted from 96k tokens");
    expect(done.textContent).toContain("the context was nearly full");
    expect(done.querySelector("strong")?.textContent ?? done.textContent).toContain("bold");
    expect(done.textContent).not.toContain("[summary]");
    expect(done.textContent).not.toContain("summarise");
    cleanup();
    const failed = say.say("event_msg", {
      ...say.compactionEnd("failed").payload,
      error_message: "the response held no summary",
    });
    const page = show(say.of(say.user("q"), ...span(say.text("nonsense"), say.end(), failed)));
    expect(page.textContent).toContain("Compaction failed; the context is unchanged");
    expect(page.textContent).toContain("the response held no summary");
    openAll();
    expect(page.textContent).not.toContain("nonsense");
  });

  it("a compaction that waits for its next attempt can be hurried or given up", () => {
    const onRetryNow = vi.fn();
    const inner = [
      say.compactionBegin(),
      say.user("summarise"),
      say.begin(),
      say.end("timeout", { retry_in_ms: 2000 }),
    ];
    show(say.of(say.user("q"), ...inner), {
      active: true,
      retryAt: new Date(Date.now() + 2_000).toISOString(),
      onRetryNow,
    });
    fireEvent.click(screen.getByRole("button", { name: "Retry now" }));
    expect(onRetryNow).toHaveBeenCalledOnce();
  });

  it("2.3 says “no price” and never 0 for a Request without one", () => {
    const page = show(say.of(say.user("q"), say.begin(), say.text("a"), say.usage(7), say.end()));
    expect(page.textContent).toContain("no price");
    expect(page.textContent).not.toContain("$0");
  });

  it("EN4 says once why a Task ended, and offers to try again", () => {
    const refused = say.end("failed", { refused: true, error_message: "413 too large" });
    const ended = say.abort({ reason: "llm request error: 413 too large" });
    const page = show(say.of(say.user("q"), say.begin(), refused, ended));
    expect(page.textContent?.match(/413 too large/g)).toHaveLength(1);
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });

  it("a limit of Requests reads as a sentence, and an attempt after which the Task went on is no alarm", () => {
    const last = { type: "text", role: "assistant", text: "[reached max turns (2); stopping]", stop_reason: "failed" };
    const limit = show(say.of(say.user("q"), say.begin(), say.call("c1"), say.end(), say.say("model_msg", last)));
    expect(limit.textContent).toContain("Stopped: a Task may make 2 Requests here");
    expect(limit.textContent).not.toContain("[reached");
    cleanup();
    const tooLong = say.end("failed", { context_too_long: true, error_message: "400 too long" });
    const compaction = [
      say.compactionBegin(),
      say.begin(),
      say.text("[summary]S[/summary]"),
      say.end(),
      say.compactionEnd(),
    ];
    const page = show(
      say.of(say.user("q"), say.begin(), tooLong, ...compaction, say.begin(), say.text("a"), say.end()),
    );
    expect(page.textContent).toContain("Attempt 1 failed: 400 too long");
    expect(page.textContent).not.toContain("gave up");
  });

  it("ux 25: tells a policy's veto from a person's No", () => {
    const call = (by: string, decision: string) =>
      show(say.of(say.user("q"), say.begin(), say.call("c1"), say.decision("c1", decision, { by }), say.end()));
    call("policy:no-rm", "forbidden");
    openAll();
    expect(screen.getByText(/Forbidden by the policy no-rm/)).toBeTruthy();
    cleanup();
    call("ben", "deny");
    openAll();
    expect(screen.getByText("Denied by ben")).toBeTruthy();
  });

  it("EN6 shows arguments that are no JSON as they are", () => {
    const broken = say.say("model_msg", {
      type: "tool_call",
      role: "assistant",
      name: "exec_command",
      tool_call_id: "c1",
      arguments: "{oops",
    });
    show(say.of(say.user("q"), say.begin(), broken, say.end()));
    openAll();
    expect(screen.getByText("{oops")).toBeTruthy();
  });

  it("P2 fetches the whole of a shortened output by its address", async () => {
    const elided = { $elided: { bytes: 90_000, head: "head of it" } };
    const message = {
      timestamp: "",
      type: "model_msg",
      payload: { type: "tool_call_output", output: "the whole output" },
    };
    const ask = vi.fn(async (_url: string) => Response.json({ line: 5, message }));
    vi.stubGlobal("fetch", ask);
    show(
      say.of(
        say.user("q"),
        say.begin(),
        say.call("c1"),
        say.end(),
        say.say("model_msg", { type: "tool_call_output", role: "user", tool_call_id: "c1", output: elided }),
      ),
    );
    openAll();
    expect(screen.getByText("head of it…")).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /Show all/ })));
    expect(screen.getByText("the whole output")).toBeTruthy();
    expect(ask.mock.calls[0]?.[0]).toBe("/api/projects/p/agents/a/traces/s1/1/records/5");
  });
});

describe("items: model output is data", () => {
  const evil = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>alert(4)</script>'></iframe>",
    "<svg/onload=alert(1)>",
    "[x](javascript:alert(3))",
    "![p](https://evil.example/pixel.png)",
    "<style>body{display:none}</style>",
    "<form action=https://evil.example><button>ok</button></form>",
    "[y](data:text/html,<script>alert(1)</script>)",
  ];
  it("keeps all of it inert in answer, thinking, prompt, tool name, arguments, output and error", () => {
    const hostile = evil.flatMap((text, i) => [
      say.user(text, { client_id: `c${i}` }),
      say.begin(),
      say.thinking(text),
      say.say("model_msg", {
        type: "tool_call",
        role: "assistant",
        name: text,
        tool_call_id: `c${i}`,
        arguments: JSON.stringify({ cmd: text }),
      }),
      say.output(`c${i}`, text),
      say.text(text),
      say.end("failed", { error_message: text }),
    ]);
    const page = show(say.of(...hostile));
    openAll();
    expect(page.textContent).toContain("alert(1)");
    expect(page.querySelector("script, iframe, form, style, object, embed, [onerror], [onload]")).toBeNull();
    expect(page.querySelector("img")).toBeNull();
    for (const link of page.querySelectorAll("a")) {
      expect(link.getAttribute("href")).toMatch(/^(\/p\/|https?:|mailto:|#)/);
    }
  });

  it("loads a picture of another host only when a person asks", () => {
    const page = show(answer("![chart](https://example.com/c.png)"));
    expect(page.querySelector("img")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Load from example.com" }));
    expect(page.querySelector("img")?.getAttribute("src")).toBe("https://example.com/c.png");
  });
});

describe("approval", () => {
  const payload = {
    type: "tool_call" as const,
    role: "assistant" as const,
    name: "exec_command",
    arguments: '{"cmd":"ls"}',
    tool_call_id: "c1",
  };
  const approval = { id: "ap1", tool_call: payload, since: new Date().toISOString() };
  const waiting = () => say.of(say.user("q"), say.begin(), say.say("model_msg", payload) as OmniMessage);
  const setup = (answer: () => Response, canWork = true) => {
    const ask = vi.fn(async (_url: string, _init: RequestInit) => answer());
    vi.stubGlobal("fetch", ask);
    const onDecided = vi.fn();
    show(waiting(), { active: true, approvals: [approval], onDecided, canWork });
    return { ask, onDecided };
  };

  it("shows tool, full arguments, and Allow and Deny as words; nothing has the focus", () => {
    setup(() => Response.json({}));
    expect(screen.getByText("ls", { selector: "pre *" })).toBeTruthy();
    expect(screen.getByRole("button", { name: /Allow/ })).toBeTruthy();
    expect(document.activeElement).toBe(document.body);
  });

  it("posts the decision to the server's own id", async () => {
    const { ask, onDecided } = setup(() => Response.json({ id: "ap1", decision: "allow", by: "ana" }));
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /Allow/ })));
    expect(ask.mock.calls[0]?.[0]).toBe("/api/projects/p/agents/a/sessions/s1/approvals/ap1");
    expect(ask.mock.calls[0]?.[1].body).toBe('{"decision":"allow"}');
    expect(onDecided).toHaveBeenCalledWith({ id: "ap1", decision: "allow", by: "ana" });
  });

  it("takes A and D only while the row has the focus", async () => {
    const { ask } = setup(() => Response.json({}));
    fireEvent.keyDown(document.body, { key: "a" });
    expect(ask).not.toHaveBeenCalled();
    await act(async () => fireEvent.keyDown(screen.getByRole("region", { name: /Approval needed/ }), { key: "d" }));
    expect(ask.mock.calls[0]?.[1].body).toBe('{"decision":"deny"}');
  });

  it("AP10 is usable again after a lost answer, and tells who decided before", async () => {
    let lost = true;
    const body = { error: { code: "already_decided", message: "", details: { decision: "allow", by: "ben" } } };
    const { ask, onDecided } = setup(() => {
      if (lost) throw new TypeError("network");
      return Response.json(body, { status: 409 });
    });
    const deny = screen.getByRole("button", { name: /Deny/ });
    await act(async () => fireEvent.click(deny));
    expect(screen.getByRole("alert").textContent).toContain("cannot be reached");
    lost = false;
    await act(async () => fireEvent.click(deny));
    expect(ask).toHaveBeenCalledTimes(2);
    expect(screen.getByRole("alert").textContent).toContain("Allowed by ben");
    expect(onDecided).toHaveBeenCalledWith({ id: "ap1", decision: "allow", by: "ben" });
  });

  it("shows a viewer who decides, without buttons", () => {
    setup(() => Response.json({}), false);
    expect(screen.queryByRole("button", { name: /Allow/ })).toBeNull();
  });
});

describe("subagents", () => {
  const spawned = (...rest: OmniMessage[]) =>
    say.of(
      say.user("q"),
      say.begin(),
      say.call("c1", "run_subagent"),
      say.decision("c1"),
      say.say("event_msg", { type: "subagent", session_id: "child-1", agent: "b" }),
      say.end(),
      ...rest,
    );
  const link = () => screen.getByRole("link", { name: "Open the subagent's conversation" });

  it("a subagent that works: its state, and the way to its conversation", () => {
    show(spawned(), { active: true, subagents: [{ session_id: "child-1", since: new Date().toISOString() }] });
    expect(screen.getByText("works")).toBeTruthy();
    expect(link().getAttribute("href")).toBe("/p/p/a/b/s/child-1");
  });

  it("its question stands with the call that started it and can be decided there", () => {
    const tool_call = {
      type: "tool_call" as const,
      role: "assistant" as const,
      name: "exec_command",
      arguments: '{"cmd":"make"}',
      tool_call_id: "c1",
    };
    const approval = { id: "ap9", tool_call, origin: ["child-1"], since: new Date().toISOString() };
    show(spawned(), { active: true, approvals: [approval] });
    expect(screen.getByText("A subagent asks: exec_command")).toBeTruthy();
    expect(screen.getByRole("button", { name: /Allow/ })).toBeTruthy();
  });

  it("one that was cut off says so, and still leads to its conversation", () => {
    const page = show(spawned());
    openAll();
    expect(page.textContent).toContain("no result");
    expect(link()).toBeTruthy();
  });
});

describe("what ended in the background", () => {
  const report = (rest: string) =>
    say.user(
      `[background_task_done]\nkind: command\nid: proc-1\nstatus: completed\n[/background_task_done]\n\n${rest}`,
    );
  it("is told inside of the Task that goes on, with its output folded away", () => {
    const t = say.of(
      say.user("q"),
      say.begin(),
      say.call("c1"),
      say.decision("c1"),
      say.end(),
      say.output("c1", "x"),
      report("the tail"),
      say.begin(),
      say.text("ok"),
      say.end(),
    );
    expect(t.tasks).toHaveLength(1);
    const page = show(t);
    expect(page.textContent).toContain("Background command proc-1: completed");
    expect(page.textContent).not.toContain("the tail");
    openAll();
    expect(page.textContent).toContain("the tail");
  });
  it("opens a Task of its own when nothing ran", () => {
    const t = say.of(say.user("q"), say.begin(), say.text("a"), say.end(), report("tail"), say.begin(), say.end());
    expect(t.tasks).toHaveLength(2);
  });
});
