/** The short form of `npm run fuzz`, without figures. */
import { prepare } from "../scripts/fuzz/people.mjs";
import { Fuzz, findRoutes } from "../scripts/fuzz/requests.mjs";
import { connections, RAW, raw, send } from "../scripts/fuzz/send.mjs";
import { expect, test } from "./fixtures";

const REQUESTS = 500;
const WORKERS = 6;

test("AT10 AT15 malformed requests over all routes and pages: no 500, no lost connection, nothing in the log", async ({
  server,
  signedIn,
}) => {
  test.setTimeout(120_000);
  const admin = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const known = await prepare(server.url, admin);
  // Sign-ins that fail are counted for all people together, and the other tests of this server sign in too.
  const routes = findRoutes().filter(({ path }) => !path.startsWith("/api/auth"));
  expect(routes.length).toBeGreaterThan(100);
  const fuzz = new Fuzz(8, routes, known);
  const to = { port: server.port, agent: connections(WORKERS) };
  const before = server.output.length;
  const faults: string[] = [];
  const worker = async () => {
    while (fuzz.count < REQUESTS) {
      const what = fuzz.next();
      const { status, text } = await send(to, what);
      // Who sends two megabytes that nobody wants is hung up on.
      const hungUp = status === 0 && (what.body?.length ?? 0) > 1_000_000;
      if (status >= 500 || (status === 0 && !hungUp)) {
        faults.push(
          `${status} ${what.method} ${what.path} ${what.body?.toString("utf8", 0, 200)} -> ${text.slice(0, 200)}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  for (const bytes of RAW) {
    const answer = await raw(server.port, bytes);
    if (/^HTTP\/1\.1 5/.test(answer)) faults.push(`${JSON.stringify(bytes.slice(0, 100))} -> ${answer.slice(0, 200)}`);
  }
  expect(faults).toEqual([]);
  const logged = server.output.slice(before).split("\n");
  expect(logged.filter((line) => /^\[http\]|⨯|[Uu]nhandled/.test(line))).toEqual([]);
  expect((await send(to, { method: "GET", path: "/api/health", headers: {} })).status).toBe(200);
});
