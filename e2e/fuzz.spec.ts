/** The short form of `npm run fuzz`, without figures. */
import { expect, test } from "@playwright/test";
import { prepare, signIn } from "../scripts/fuzz/people.mjs";
import { Fuzz, findRoutes } from "../scripts/fuzz/requests.mjs";
import { connections, failuresIn, isFault, rawFaults, send } from "../scripts/fuzz/send.mjs";
import { ADMIN_PASSWORD, TestServer } from "./support/server";

const REQUESTS = 500;
const WORKERS = 6;

let server: TestServer | undefined;
test.afterEach(() => server?.remove());

test("AT10 AT15 malformed requests over all routes and pages: no 500, no lost connection, nothing in the log", async () => {
  test.setTimeout(120_000);
  // Of its own: what comes of it is nobody else's to find.
  const started = await TestServer.start();
  server = started;
  const admin = await signIn(started.url, "admin", ADMIN_PASSWORD);
  const known = await prepare(started.url, admin);
  const routes = findRoutes();
  expect(routes.length).toBeGreaterThan(100);
  const fuzz = new Fuzz(8, routes, { ...known, cookies: [...known.cookies, admin] });
  const to = { port: started.port, agent: connections(WORKERS) };
  const before = started.output.length;
  const faults: string[] = [];
  const worker = async () => {
    while (fuzz.count < REQUESTS) {
      const what = fuzz.next();
      const answer = await send(to, what);
      if (isFault(what, answer)) {
        const [body, text] = [what.body?.toString("utf8", 0, 200), answer.text.slice(0, 200)];
        faults.push(`${answer.status} ${what.method} ${what.path} ${body} -> ${text}`);
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  faults.push(...(await rawFaults(started.port)));
  expect(faults).toEqual([]);
  expect(failuresIn(started.output.slice(before))).toEqual([]);
  expect((await send(to, { method: "GET", path: "/api/health", headers: {} })).status).toBe(200);
});
