import { afterEach, beforeEach, expect, it } from "vitest";
import { createParser, type ServerEvent } from "../../lib/api/live/sse";
import type { Role } from "../../lib/api/schemas";
import type { Person } from "../auth/person";
import { Streams } from "../auth/streams";
import { answer, ScriptedLlm } from "../engine/testing/script";
import { LiveStreams } from "./live";
import { AGENT, idle, type TestServer, testServer, text, until } from "./testing/host";

const person = (id: string): Person => ({ id, name: id, admin: false, sid: `sid-${id}` });
const [ann, bob] = [person("ann"), person("bob")];

let server: TestServer;
let streams: Streams;
let live: LiveStreams;
let members: Set<string>;

beforeEach(async () => {
  server = await testServer(
    new ScriptedLlm([answer({ say: "one" }), answer({ say: "two" }), answer({ say: "three" })]),
  );
  streams = new Streams();
  members = new Set(["ann", "bob"]);
  const role = async (_: string, { id }: { id: string }): Promise<Role | null> => (members.has(id) ? "member" : null);
  live = new LiveStreams({
    sessions: server.registry,
    projects: { exists: async (project) => project === "p", role },
    agents: { exists: async ({ agent }) => agent === "a" },
    streams,
  });
});
afterEach(() => server.remove());

/** A connection and everything it said so far. */
async function connect(who: Person) {
  const stop = new AbortController();
  const events: ServerEvent[] = [];
  const reader = live.connect(who, stop.signal).body?.pipeThrough(new TextDecoderStream()).getReader();
  const feed = createParser((event) => events.push(event));
  const over = (async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      feed(value ?? "");
    }
  })();
  await until(() => events.length > 0);
  const id: string = JSON.parse(events[0]?.data ?? "").id;
  const follow = (sub: number, session?: string, last_event_id?: string) =>
    live.change(id, who, {
      subscribe: [{ sub, project: "p", ...(session ? { agent: "a", session } : {}), last_event_id }],
      unsubscribe: [],
    });
  const all = (sub: number) => events.filter((event) => event.sub === String(sub));
  const of = (sub: number) => all(sub).filter(({ event }) => event !== "presence");
  const people = (sub: number): string[] => {
    const last = all(sub).findLast(({ event }) => event === "presence");
    return last ? JSON.parse(last.data).people.map(({ id }: { id: string }) => id) : [];
  };
  return { id, follow, of, people, stop: () => stop.abort(), over };
}
const make = (visibility: "team" | "private" = "team") =>
  server.registry.create(AGENT, {}, ann).then(async (session) => {
    if (visibility === "private") await session.patch({ visibility }, "ann");
    return session;
  });

it("CH1 carries several Sessions on one connection, each with its own snapshot, tail and event ids", async () => {
  const [one, two] = [await make(), await make()];
  const browser = await connect(ann);
  expect(await browser.follow(1, one.ref.session)).toEqual([]);
  expect(await browser.follow(2, two.ref.session)).toEqual([]);
  await one.submit({ id: "t", parts: text("q"), author: "ann" }, false);
  await idle(one);
  await until(() => browser.of(1).some(({ data }) => data.includes('"request_end"')));
  expect(browser.of(1)[0]?.event).toBe("snapshot");
  expect(browser.of(1).every(({ id }) => id.startsWith(one.channel.epoch))).toBe(true);
  expect(browser.of(2).map(({ event }) => event)).toEqual(["snapshot"]);
});

it("CH2 goes on behind a known event id, and starts with a snapshot behind an unknown one", async () => {
  const session = await make();
  const browser = await connect(ann);
  await browser.follow(1, session.ref.session);
  await session.submit({ id: "t", parts: text("q"), author: "ann" }, false);
  await idle(session);
  await until(() => browser.of(1).length > 5);
  const seen = browser.of(1);
  await live.change(browser.id, ann, { subscribe: [], unsubscribe: [1] });
  await browser.follow(2, session.ref.session, seen[2]?.id);
  await browser.follow(3, session.ref.session, "0000-1");
  await until(() => browser.of(3).length > 0);
  expect(browser.of(2).slice(0, 2)).toEqual(seen.slice(3, 5).map((event) => ({ ...event, sub: "2" })));
  expect(browser.of(3)[0]?.event).toBe("snapshot");
});

it("AC2 checks each stream: outsiders, private and made-up Sessions are 404, the others go on", async () => {
  const [open, hidden] = [await make(), await make("private")];
  const browser = await connect(bob);
  expect(await browser.follow(1, open.ref.session)).toEqual([]);
  expect(await browser.follow(2, hidden.ref.session)).toEqual([{ sub: 2, status: 404 }]);
  expect(await browser.follow(3, "session-2026-01-02-03-04-05-0a1b2c3d")).toEqual([{ sub: 3, status: 404 }]);
  expect(await browser.follow(4, "../../x")).toEqual([{ sub: 4, status: 404 }]);
  members.delete("bob");
  expect(await browser.follow(5, open.ref.session)).toEqual([{ sub: 5, status: 404 }]);
  expect(await browser.follow(6)).toEqual([{ sub: 6, status: 404 }]);
  // Somebody else's connection is as good as none.
  await expect(live.change(browser.id, ann, { subscribe: [], unsubscribe: [1] })).rejects.toMatchObject({
    code: "not_found",
  });
});

it("tells who looks at a Session now, until a window leaves or the right to it ends", async () => {
  const session = await make();
  const [first, second] = [await connect(ann), await connect(bob)];
  await first.follow(1, session.ref.session);
  await second.follow(7, session.ref.session);
  await until(() => first.people(1).length === 2 && second.people(7).length === 2);
  expect(first.people(1)).toEqual(["ann", "bob"]);
  await first.follow(2, session.ref.session);
  await live.change(first.id, ann, { subscribe: [], unsubscribe: [1] });
  await until(() => first.people(2).length === 2);
  streams.close(({ person, project }) => person.id === "bob" && project === "p");
  await until(() => first.people(2).length === 1);
  expect(first.people(2)).toEqual(["ann"]);
});

it("a member who is removed loses the Project's streams at once, and a person signed out the connection", async () => {
  const session = await make();
  const browser = await connect(bob);
  await browser.follow(1, session.ref.session);
  await browser.follow(2);
  await until(() => browser.of(2).length > 0);
  streams.close(({ person: { id }, project }) => id === "bob" && project === "p");
  await until(() => browser.of(1).at(-1)?.event === "closed" && browser.of(2).at(-1)?.event === "closed");
  expect(session.channel.subscribers).toBe(0);
  streams.close(({ person: { id } }) => id === "bob");
  await browser.over;
  expect(streams.size).toBe(0);
});

it("a Session made private closes other people's streams at once, also those just being opened", async () => {
  const session = await make();
  const [hers, his] = [await connect(ann), await connect(bob)];
  await hers.follow(1, session.ref.session);
  await his.follow(1, session.ref.session);
  await his.follow(2);
  const opening = his.follow(3, session.ref.session);
  await session.patch({ visibility: "private" }, "ann");
  await streams.recheck("p");
  await until(() => his.of(1).at(-1)?.event === "closed");
  expect([[], [{ sub: 3, status: 404 }]]).toContainEqual(await opening);
  await until(() => session.channel.subscribers === 1);
  expect(hers.of(1).map(({ event }) => event)).not.toContain("closed");
  // The states of the Project go on, without that Session.
  expect(his.of(2).map(({ event }) => event)).not.toContain("closed");
  expect(await his.follow(4, session.ref.session)).toEqual([{ sub: 4, status: 404 }]);
});

it("tells the states of the Project's Sessions when they change", async () => {
  const browser = await connect(bob);
  await browser.follow(1);
  await until(() => browser.of(1).length === 1);
  expect(JSON.parse(browser.of(1)[0]?.data ?? "")).toEqual({ sessions: [], lists: 0 });
  const session = await make();
  await session.submit({ id: "t", parts: text("q"), author: "ann" }, false);
  await idle(session);
  await until(() => browser.of(1).length > 1);
  expect(browser.of(1).every(({ event }) => event === "status")).toBe(true);
});

it("a new title, or who sees it, makes lists old, also while nothing runs", async () => {
  const session = await make();
  await session.submit({ id: "t", parts: text("q"), author: "ann" }, false);
  await idle(session);
  const browser = await connect(bob);
  await browser.follow(1);
  const lists = () => browser.of(1).map(({ data }) => JSON.parse(data).lists);
  await until(() => lists().length === 1);
  await session.patch({ title: "Another" }, "ann");
  await until(() => lists().length > 1);
  await session.patch({ visibility: "private" }, "ann");
  await until(() => new Set(lists()).size === 3);
});

it("leaves nothing behind when the browser goes", async () => {
  const session = await make();
  const browser = await connect(ann);
  await browser.follow(1, session.ref.session);
  browser.stop();
  await browser.over;
  expect([session.channel.subscribers, streams.size]).toEqual([0, 0]);
});
