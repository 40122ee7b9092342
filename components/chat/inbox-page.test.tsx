// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { WaitingApproval } from "@/lib/api/schemas";
import { InboxPage } from "./inbox-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const waiting = (id: string, cmd: string): WaitingApproval => ({
  agent: "a",
  session_id: `s-${id}`,
  title: `Talk ${id}`,
  workspace: "/home/x/site",
  model_id: "m",
  id,
  tool_call: {
    type: "tool_call",
    role: "assistant",
    name: "exec_command",
    arguments: JSON.stringify({ cmd }),
    tool_call_id: `c-${id}`,
  },
  since: new Date().toISOString(),
});

/** A server with these approvals; the second one was decided by somebody else a moment ago. */
function serve(approvals: WaitingApproval[]) {
  const posted: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (url.endsWith("/members"))
      return Response.json({ members: [{ user: "ben", name: "Ben Example", role: "member" }] });
    if (init?.method !== "POST") return Response.json({ approvals });
    posted.push(`${url} ${init.body}`);
    const late = url.endsWith("/two");
    const body = late
      ? { error: { code: "already_decided", message: "", details: { decision: "deny", by: "ben" } } }
      : { id: "one", decision: "allow", by: "ann" };
    return Response.json(body, { status: late ? 409 : 200 });
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <InboxPage project="p" userId="ann" canWork />
    </QueryClientProvider>,
  );
  return posted;
}

it("complete arguments, decided in words, and who was first when two people answer", async () => {
  const long = `echo ${"x".repeat(3_000)}THE-END`;
  const posted = serve([waiting("one", long), waiting("two", "ls")]);
  await screen.findByText(/THE-END/);
  const [allowFirst] = screen.getAllByRole("button", { name: /^Allow/ });
  if (allowFirst) fireEvent.click(allowFirst);
  await screen.findByText("Allowed by you");
  expect(posted).toEqual(['/api/projects/p/agents/a/sessions/s-one/approvals/one {"decision":"allow"}']);
  fireEvent.click(screen.getByRole("button", { name: /^Allow/ }));
  expect((await screen.findByText("Denied by Ben Example")).title).toBe("ben");
  expect(screen.getByText("Nothing waits for a decision")).toBeTruthy();
});
