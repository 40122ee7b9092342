// @ts-check
/** Who the requests come from: people and a Project made over the API of a running server. */

/** @typedef {import("./requests.mjs").Known} Known */

/** @param {Response} response */
const cookiesOf = (response) => response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");

/** The cookie of a new sign-in. @param {string} url @param {string} user @param {string} password */
export async function signIn(url, user, password) {
  const first = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = await first.json();
  const form = new URLSearchParams({ user, password, csrfToken, json: "true" });
  const headers = { cookie: cookiesOf(first).join("; ") };
  const second = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    headers,
    body: form,
    redirect: "manual",
  });
  const found = cookiesOf(second).find((cookie) => !/csrf|callback/.test(cookie) && !cookie.endsWith("="));
  if (!found) throw new Error(`${user} cannot sign in: ${second.status} ${await second.text()}`);
  return found;
}

/** @param {string} url @param {string} cookie @param {string} method @param {string} path @param {unknown} [body] */
async function call(url, cookie, method, path, body) {
  const headers = { cookie, ...(body ? { "content-type": "application/json" } : {}) };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** A Project with an owner, a viewer and a conversation; somebody who belongs to nothing. @param {string} url @param {string} admin @returns {Promise<Known>} */
export async function prepare(url, admin) {
  const people = ["fuzz_owner", "fuzz_viewer", "fuzz_outsider"];
  /** @type {string[]} */
  const cookies = [];
  for (const id of people) {
    await call(url, admin, "POST", "/api/users", { id, password: `${id}-password` });
    cookies.push(await signIn(url, id, `${id}-password`));
  }
  const [owner = ""] = cookies;
  await call(url, owner, "POST", "/api/projects", { id: "fuzz" });
  await call(url, owner, "POST", "/api/projects/fuzz/members", { user: "fuzz_viewer", role: "viewer" });
  const { agents } = await call(url, owner, "GET", "/api/projects/fuzz/agents");
  const agent =
    agents[0]?.id ?? (await call(url, owner, "POST", "/api/projects/fuzz/agents", { id: "helper" })).agent.id;
  const sessions = `/api/projects/fuzz/agents/${agent}/sessions`;
  const { session } = await call(url, owner, "POST", sessions, { model: { provider: "demo", model_id: "demo" } });
  await call(url, owner, "POST", `${sessions}/${session.id}/tasks`, { input: [{ type: "text", text: "hello" }] });
  while ((await call(url, owner, "GET", `${sessions}/${session.id}`)).status !== "idle") {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const made = await call(url, owner, "POST", "/api/me/tokens", { name: "fuzz", scopes: ["read", "work"] });
  return { cookies, tokens: [made.token], project: "fuzz", agent, session: session.id, user: "fuzz_viewer" };
}
