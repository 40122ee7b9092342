// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { LanguageProvider } from "@/components/ui/language";
import type { ProjectView, UserView } from "@/lib/api/team";
import { AccountPage } from "./account-page";
import { AuditPage } from "./audit-page";
import { MembersPage } from "./members-page";
import { ProjectSettingsPage } from "./project-settings-page";
import { UsersPage } from "./users-page";

vi.mock("next/navigation", () => ({
  useRouter: () => ({ replace: () => {}, push: () => {} }),
  usePathname: () => "/p/alpha/audit",
  useSearchParams: () => new URLSearchParams(location.search),
  useParams: () => ({ project: "alpha" }),
}));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-07-17T09:00:00.000Z";
const PROJECT: ProjectView = {
  id: "alpha",
  name: "Alpha",
  role: "owner",
  defaults: { visibility: "team", approval_mode: "read-only" },
  public_links: false,
  deletable: true,
  allowance: { env_keys: false, private_addresses: false, workspace_roots: [] },
};
const person = (id: string, more: Partial<UserView> = {}): UserView => ({
  id,
  name: id.toUpperCase(),
  admin: false,
  has_password: true,
  password_is_initial: false,
  ...more,
});

/** Answers by `METHOD path`; what has no answer fails with the code. Remembers what was sent. */
function serve(page: ReactElement, answers: Record<string, unknown>, language: "en" | "zh" = "en") {
  const sent: { call: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const call = `${init.method ?? "GET"} ${url.replace(/\?.*/, "")}`;
    sent.push({ call, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined });
    const answer = answers[call];
    if (answer === undefined) return Response.json({ error: { code: "last_owner", message: "said" } }, { status: 409 });
    return answer === null ? new Response(null, { status: 204 }) : Response.json(answer);
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <LanguageProvider initial={language}>
      <QueryClientProvider client={client}>{page}</QueryClientProvider>
    </LanguageProvider>,
  );
  return sent;
}
const api = "/api/projects/alpha";

it("settings: a Project is deleted only when its id was typed, and what is lost is said", async () => {
  const sent = serve(<ProjectSettingsPage project="alpha" admin />, {
    [`GET ${api}`]: { project: PROJECT },
    [`GET ${api}/contents`]: { agents: 2, sessions: 1, running: 1, members: 3 },
  });
  fireEvent.click(await screen.findByRole("button", { name: "Delete Project" }));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText(/2 Agents with their instructions/);
  within(dialog).getByText(/1 conversation works at this moment/);
  const confirm = within(dialog).getByRole("button", { name: "Delete Project" });
  expect(confirm).toHaveProperty("disabled", true);
  fireEvent.change(within(dialog).getByRole("textbox"), { target: { value: "alph" } });
  expect(confirm).toHaveProperty("disabled", true);
  fireEvent.change(within(dialog).getByRole("textbox"), { target: { value: "alpha" } });
  fireEvent.click(confirm);
  await within(dialog).findByText("said");
  expect(sent.some(({ call }) => call === `DELETE ${api}`)).toBe(true);
});

it("settings: viewers read; what is allowed is changed by admins, and a path must be one", async () => {
  const { allowance: _, ...viewers } = PROJECT;
  serve(<ProjectSettingsPage project="alpha" admin={false} />, {
    [`GET ${api}`]: { project: { ...viewers, role: "viewer" } },
  });
  await screen.findByText("Only owners of this Project can change this.");
  expect(screen.queryByRole("button", { name: "Delete Project" })).toBeNull();
  expect(screen.getByLabelText("Name")).toHaveProperty("disabled", true);
  cleanup();
  const sent = serve(<ProjectSettingsPage project="alpha" admin />, {
    [`GET ${api}`]: { project: PROJECT },
    [`PUT ${api}/allowances`]: { allowance: PROJECT.allowance },
  });
  const roots = await screen.findByLabelText("Folders for Workspaces");
  fireEvent.change(roots, { target: { value: "srv" } });
  await screen.findByText("Each line is an absolute path that begins with /.");
  fireEvent.change(roots, { target: { value: "/srv\n\n /data " } });
  fireEvent.click(screen.getByRole("switch", { name: "Model addresses on private networks" }));
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(sent.find(({ call }) => call === `PUT ${api}/allowances`)?.body).toEqual({
      env_keys: false,
      private_addresses: true,
      workspace_roots: ["/srv", "/data"],
    }),
  );
});

it("settings: rules for commands are read by everybody, changed by owners, tried, and their limits said", async () => {
  const rule = (name: string, pattern: string) => ({ name, pattern, description: "", enabled: true });
  const view = {
    enabled: true,
    factory: true,
    rules: [rule("wipe", "rm -rf /"), { ...rule("bad", "("), problem: "?" }],
  };
  const answers = { [`GET ${api}`]: { project: PROJECT }, [`GET ${api}/command-policy`]: view };
  const sent = serve(<ProjectSettingsPage project="alpha" admin />, {
    ...answers,
    [`PUT ${api}/command-policy`]: {
      ...view,
      factory: false,
      rules: [rule("wipe", "rm -rf /"), rule("no-push", "git push")],
    },
  });
  await screen.findByText(/This rule cannot be read, so it refuses every command: \?/);
  screen.getByText(/A rule reads the text of a command, not what the command does/);
  fireEvent.click(screen.getByRole("button", { name: "Add rule" }));
  const dialog = await screen.findByRole("dialog");
  fireEvent.change(within(dialog).getByLabelText("Name"), { target: { value: "no-push" } });
  fireEvent.change(within(dialog).getByLabelText("Pattern"), { target: { value: "git (push" } });
  within(dialog).getByText(/This cannot be used/);
  expect(within(dialog).getByRole("button", { name: "Save" })).toHaveProperty("disabled", true);
  fireEvent.change(within(dialog).getByLabelText("Pattern"), { target: { value: "git push" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
  await screen.findByText("no-push");
  expect(sent.find(({ call }) => call === `PUT ${api}/command-policy`)?.body).toEqual({
    enabled: true,
    rules: [rule("wipe", "rm -rf /"), rule("bad", "("), rule("no-push", "git push")],
  });
  fireEvent.change(screen.getByLabelText("Try a command"), { target: { value: "cd x && git 'push'" } });
  screen.getByText("Refused by the rule no-push.");
  fireEvent.change(screen.getByLabelText("Try a command"), { target: { value: "ls" } });
  screen.getByText(/No rule refuses it/);
  cleanup();
  serve(<ProjectSettingsPage project="alpha" admin={false} />, {
    ...answers,
    [`GET ${api}`]: { project: { ...PROJECT, role: "member" } },
  });
  await screen.findByText("rm -rf /");
  expect(screen.queryByRole("button", { name: /rule/i })).toBeNull();
});

it("settings: whether commands are isolated, what to install, and that an owner can demand it", async () => {
  const view = {
    required: false,
    network: "isolated",
    isolated: false,
    effective_network: "host",
    problem: "no_bubblewrap",
  };
  const answers = { [`GET ${api}`]: { project: PROJECT }, [`GET ${api}/isolation`]: view };
  const demanded = { ...view, isolated: true, required: true, problem: "no_network" };
  const sent = serve(<ProjectSettingsPage project="alpha" admin />, { ...answers, [`PUT ${api}/isolation`]: demanded });
  await screen.findByText(/Commands are not isolated\. They run with the rights of the server's account/);
  screen.getByText("apt install bubblewrap slirp4netns");
  screen.getByText(/the Agent is the boundary/);
  fireEvent.click(screen.getByRole("switch", { name: "Only isolated commands" }));
  await screen.findByText(/An isolated network cannot be had/);
  expect(sent.find(({ call }) => call === `PUT ${api}/isolation`)?.body).toEqual({
    required: true,
    network: "isolated",
  });
});

it("members: the last owner is protected, somebody unknown is said, in Chinese too", async () => {
  const members = [
    { user: "ann", name: "Ann", role: "owner" },
    { user: "bob", name: "Bob", role: "viewer", disabled: true },
  ];
  serve(<MembersPage project="alpha" userId="ann" canWrite admin={false} />, { [`GET ${api}/members`]: { members } });
  expect(await screen.findByRole("combobox", { name: "Role of Ann" })).toHaveProperty("disabled", true);
  expect(screen.getByRole("button", { name: "Remove Ann" })).toHaveProperty("disabled", true);
  expect(screen.getByRole("combobox", { name: "Role of Bob" })).toHaveProperty("disabled", false);
  screen.getByText("Disabled");
  expect(screen.queryByText("Everybody")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Remove Bob" }));
  const question = await screen.findByRole("alertdialog");
  within(question).getByText(/loses access at once/);
  fireEvent.click(within(question).getByRole("button", { name: "Remove" }));
  await within(question).findByText("said");
  cleanup();
  serve(<MembersPage project="alpha" userId="ann" canWrite admin />, { [`GET ${api}/members`]: { members } }, "zh");
  await screen.findByText("项目成员", { selector: "h2" });
  fireEvent.click(screen.getByRole("button", { name: "添加成员" }));
  const dialog = await screen.findByRole("dialog");
  fireEvent.change(within(dialog).getByRole("textbox"), { target: { value: "x" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "添加成员" }));
  await within(dialog).findByText("项目至少需要一位所有者。请先将其他人设为所有者。");
});

it("people: a new one gets a link that is shown once; who owns a Project alone is not deleted", async () => {
  const ann = person("ann", { invited_until: "2999-01-01T00:00:00.000Z", has_password: false });
  const sent = serve(<UsersPage project="alpha" userId="admin" />, {
    "GET /api/users": {
      users: [person("admin", { admin: true, last_sign_in_at: AT }), ann, person("bob", { disabled: true })],
    },
    "GET /api/projects": { projects: [], others: ["beta"] },
    "GET /api/me": { user: person("admin"), projects: [], preferences: {} },
    "POST /api/users": { user: person("cleo"), invitation: { token: "cleo.secret", until: AT } },
    "GET /api/users/ann": { last_owner_of: ["beta"], projects: 1, sessions: { team: 2, private: 1 } },
  });
  await screen.findByText("Invited");
  screen.getByRole("button", { name: "Join beta as owner" });
  expect(screen.queryByRole("button", { name: "More for ADMIN" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "New person" }));
  const dialog = await screen.findByRole("dialog");
  const id = within(dialog).getByLabelText("User name");
  fireEvent.change(id, { target: { value: "Cleo!" } });
  within(dialog).getByText(/Lower-case letters, digits and underscores/);
  fireEvent.change(id, { target: { value: "cleo" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Create and get the link" }));
  const link = await screen.findByLabelText("One-time link");
  expect(link).toHaveProperty("value", expect.stringMatching(/\/sign-in\/link#cleo\.secret$/));
  expect(sent.find(({ call }) => call === "POST /api/users")?.body).toEqual({ id: "cleo", admin: false });
});

it("account: sign-ins can be ended but the present one, tokens are listed, and a new one is made", async () => {
  const sent = serve(<AccountPage />, {
    "GET /api/me": { user: person("ann"), projects: [{ id: "alpha", name: "Alpha", role: "member" }], preferences: {} },
    "GET /api/me/sign-ins": {
      sign_ins: [
        { id: "a", device: "Firefox, Linux", created_at: AT, last_seen_at: AT, current: true },
        { id: "b", created_at: AT, last_seen_at: AT, current: false },
      ],
    },
    "DELETE /api/me/sign-ins/b": null,
    "GET /api/me/tokens": {
      tokens: [
        { id: "t", name: "ci", scopes: ["read"], projects: ["alpha"], created_at: AT, expires_at: AT, expired: true },
      ],
    },
    "POST /api/me/tokens": { token: "pht.ann.x.y", view: {} },
  });
  await screen.findByText("This one");
  expect(screen.queryByRole("button", { name: /Firefox/ })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "End the sign-in on Unknown device" }));
  await waitFor(() => expect(sent.some(({ call }) => call === "DELETE /api/me/sign-ins/b")).toBe(true));
  await screen.findByText("Expired");
  screen.getByText("Alpha");
  fireEvent.click(screen.getByRole("button", { name: "New token" }));
  const dialog = await screen.findByRole("dialog");
  fireEvent.change(within(dialog).getByLabelText("What it is for"), { target: { value: "nightly" } });
  fireEvent.click(within(dialog).getByLabelText("Work"));
  fireEvent.click(within(dialog).getByLabelText("All my Projects, later ones too"));
  const create = within(dialog).getByRole("button", { name: "Create token" });
  expect(create).toHaveProperty("disabled", true);
  fireEvent.click(within(dialog).getByLabelText("Alpha"));
  fireEvent.click(create);
  await screen.findByDisplayValue("pht.ann.x.y");
  const made = sent.find(({ call }) => call === "POST /api/me/tokens");
  expect(made?.body).toMatchObject({ name: "nightly", scopes: ["read", "work"], projects: ["alpha"] });
});

it("audit log: acts in words, details beside them, an act without words as it was written; empty says so", async () => {
  serve(<AuditPage project="alpha" />, {
    [`GET ${api}/audit`]: {
      entries: [
        { at: AT, by: "ann", action: "member.add", user: "bob", role: "viewer" },
        { at: AT, by: "ann", action: "made.up", list: ["a", "b"] },
        { at: AT, by: "ann", action: "trace.import", agent: "ops", damaged: 0 },
      ],
    },
    [`GET ${api}/members`]: { members: [] },
  });
  const [, first, second, third] = await screen.findAllByRole("row");
  expect(first?.textContent).toMatch(/ann.*added a member.*user name bob.*role viewer/);
  expect(second?.textContent).toMatch(/made\.up.*list a, b/);
  // What says nothing is left out.
  expect(third?.textContent).toMatch(/imported a Trace.*Agent ops$/);
  cleanup();
  serve(<AuditPage project="alpha" />, {
    [`GET ${api}/audit`]: { entries: [] },
    [`GET ${api}/members`]: { members: [] },
  });
  await screen.findByText("Nothing was recorded yet");
  cleanup();
  serve(<AuditPage project="alpha" />, {});
  await screen.findByText("This could not be loaded");
});
