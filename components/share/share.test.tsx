// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "@/components/ui/language";
import type { SessionShares, ShareView } from "@/lib/api/share";
import { ShareDialog } from "./share-dialog";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-07-17T09:00:00.000Z";
const SHARES = "/api/projects/alpha/agents/a/sessions/s/shares";
const turn = (line: number, text: string) => ({ file_index: 1, line, text, at: AT });
const LINK: ShareView = {
  id: "0123456789abcdef",
  agent: "a",
  session_id: "s",
  title: "Old one",
  turns: 1,
  public: false,
  created_by: "bob",
  created_by_name: "Bob",
  created_at: AT,
  reads: 0,
  mine: false,
};

function open(given: Partial<SessionShares>) {
  const sent: { call: string; body: unknown }[] = [];
  const answers: Record<string, unknown> = {
    [`GET ${SHARES}`]: {
      turns: [turn(3, "one"), turn(7, "two"), turn(11, "")],
      links: [],
      may: { public: false, never: false },
      ...given,
    },
    [`POST ${SHARES}/preview`]: {
      html: "<h1>Page</h1>\n<script>1</script>\n",
      masked: [{ kind: "path", count: 2 }],
      turns: 2,
      at: AT,
      digest: "d",
    },
    [`POST ${SHARES}`]: { link: LINK, path: "/share/token" },
  };
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const call = `${init.method ?? "GET"} ${url}`;
    sent.push({ call, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined });
    return Response.json(answers[call]);
  });
  render(
    <LanguageProvider initial="en">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ShareDialog
          sessionRef={{ project: "alpha", agent: "a", session: "s" }}
          title="Mine"
          opener={null}
          onClose={() => {}}
        />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  return sent;
}
const chosen = () => screen.getAllByRole("checkbox", { checked: true }).map((box) => box.id.split("-").at(-1));
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

it("turns are chosen all at once, from one on, or one by one; nothing else goes along unless it is ticked", async () => {
  const sent = open({ links: [LINK] });
  await screen.findByText("0 of 3 chosen");
  expect(screen.getByRole("button", { name: "Preview" })).toHaveProperty("disabled", true);
  click("All");
  expect(chosen()).toEqual(["0", "1", "2"]);
  click("From “two” on");
  expect(chosen()).toEqual(["1", "2"]);
  fireEvent.click(screen.getByLabelText("(no text)"));
  fireEvent.click(screen.getByLabelText("one"));
  expect(chosen()).toEqual(["0", "1"]);
  fireEvent.change(screen.getByLabelText(/^Words to take out/), { target: { value: "Falcon， x, Acme " } });
  // Somebody else's link is seen, and left to them.
  screen.getByText("Old one");
  expect(screen.queryByRole("button", { name: /^Withdraw/ })).toBeNull();
  click("Preview");
  await screen.findByTitle("Preview of the shared page");
  expect(sent.at(-1)?.body).toEqual({
    title: "Mine",
    turns: [
      { file_index: 1, line: 3 },
      { file_index: 1, line: 7 },
    ],
    tools: false,
    thinking: false,
    names: false,
    paths: false,
    hide: ["Falcon", "Acme"],
  });
});

it("the preview is the page without its script, in a frame that can do nothing; terms are offered as far as one may", async () => {
  const sent = open({});
  await screen.findByText("0 of 3 chosen");
  click("All");
  click("Preview");
  const frame = await screen.findByTitle("Preview of the shared page");
  expect(frame.getAttribute("srcdoc")).toBe("<h1>Page</h1>\n");
  expect(frame.getAttribute("sandbox")).toBe("");
  screen.getByText("paths: 2");
  screen.getByText(/also people who are not in this Project\..*Owners can allow/);
  click("Create link");
  const link = await screen.findByRole("textbox", { name: "Link" });
  expect(link).toHaveProperty("value", `${location.origin}/share/token`);
  const body = sent.find(({ call }) => call === `POST ${SHARES}`)?.body;
  expect(body).toMatchObject({ at: AT, digest: "d", public: false, expires: expect.stringMatching(/Z$/) });
});

it("a conversation without turns says so; what fails keeps what was chosen", async () => {
  open({ turns: [] });
  await screen.findByText("Nothing has been said here yet.");
  cleanup();
  open({});
  await screen.findByText("0 of 3 chosen");
  vi.stubGlobal("fetch", async () =>
    Response.json({ error: { code: "payload_too_large", message: "Choose fewer turns." } }, { status: 413 }),
  );
  click("All");
  click("Preview");
  await waitFor(() => within(screen.getByRole("alert")).getByText("Choose fewer turns."));
  expect(chosen()).toEqual(["0", "1", "2"]);
});
