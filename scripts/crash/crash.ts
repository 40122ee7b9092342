/**
 * Kills the runtime at random points of its work and looks at what is left. One round: work starts in a few Sessions
 * at once, SIGKILL, perhaps a power cut as well; then the files are read, the server is started again, every Session
 * is opened, and each that was at work gets a prompt that the strict provider has to accept.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { DEFAULT_AGENT, DEFAULT_PROJECT, layout } from "../../server/paths";
import { Disk, owedMarkers, promptsOf } from "./disk";
import { ProviderProcess } from "./provider-client";
import { Random } from "./random";
import { BareServer, Gone } from "./server";

const AGENT = { project: DEFAULT_PROJECT, agent: DEFAULT_AGENT };
/** Sessions at work at the same time. */
const PARALLEL = 4;
const MOST = 6;
/** After so many kills a Session is left alone and another one begins. */
const LIFE = 6;
const FAR = 60_000;

const options = z.object({ kills: z.number(), seed: z.number() });

interface Worked {
  session: string;
  kills: number;
  /** Prompts of which the server said that they are queued. */
  queued: string[];
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Fails instead of waiting for ever. */
async function within<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer within ${FAR / 1000} s`)), FAR);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

class CrashRun {
  readonly problems: string[] = [];
  readonly counts = { kills: 0, sessions: 0, opened: 0, probes: 0, turns: 0, prompts: 0, queued: 0 };
  readonly disk: Disk;
  #workers: Worked[] = [];
  /** Forks that are complete: they work from the next round on. */
  #forks: string[] = [];
  #next = 1;
  #records = 0;
  #onRecord: () => void = () => {};

  constructor(
    private readonly base: string,
    private readonly provider: ProviderProcess,
    private readonly random: Random,
  ) {
    this.disk = new Disk(layout(join(base, "data")).traces(AGENT));
  }

  /** The one that is started next. */
  #standby: BareServer | null = null;

  #load(): BareServer {
    return new BareServer((shown) => {
      this.disk.note(shown);
      this.#records += 1;
      this.#onRecord();
    });
  }

  start(): Promise<BareServer> {
    const workspace = join(this.base, "work");
    const given = { root: join(this.base, "data"), workspace, provider: `${this.provider.url}/v1`, turns: 5 };
    const server = this.#standby ?? this.#load();
    this.#standby = null;
    return within("start", server.start(given));
  }

  async stop(): Promise<void> {
    await this.#standby?.kill();
  }

  #id(kind: string): string {
    return `${kind}${this.#next++}`;
  }

  async #fill(server: BareServer): Promise<void> {
    this.#workers = this.#workers.filter(({ kills }) => kills < LIFE);
    const forks = this.#forks.splice(0).slice(0, MOST - this.#workers.length);
    this.#workers.push(...forks.map((session) => ({ session, kills: LIFE / 2, queued: [] })));
    while (this.#workers.length < PARALLEL) {
      const mode = this.random.chance(0.3) ? "always-ask" : "allow-all";
      const session = z.string().parse(await server.ask({ op: "create", client_id: this.#id("new"), mode }));
      this.#workers.push({ session, kills: 0, queued: [] });
      this.counts.sessions += 1;
    }
  }

  /** Starts work everywhere. What the server refuses is no fault here; what it takes, it has to keep. */
  #work(server: BareServer): Promise<unknown>[] {
    const { random } = this;
    const pause = (ms: number) => Promise.race([wait(ms), server.gone]);
    return this.#workers.map(async (worker) => {
      const { session } = worker;
      const submit = async (queue: boolean) => {
        const client_id = this.#id("t");
        const kind = `${random.chance(0.5) ? " sub" : ""} pace=${1 + random.below(6)}${random.chance(0.2) ? " fail" : ""}`;
        const long = random.chance(0.1) ? "y".repeat(300_000 + random.below(1_500_000)) : "";
        const text = `${long} JOB ${client_id} steps=${random.below(6)}${kind}`;
        await server.ask({ op: "submit", session, client_id, text, queue, goal: random.chance(0.1) });
        this.counts.prompts += 1;
        if (queue) worker.queued.push(client_id);
      };
      const patch = () => {
        const mode = random.chance(0.5) ? "allow-all" : "always-ask";
        return server.ask({ op: "patch", session, title: this.#id("title "), mode }).catch(refused);
      };
      await pause(random.below(60));
      if (random.chance(0.2)) await this.#fork(server, session);
      if (random.chance(0.2)) {
        const compacted = server.ask({ op: "compact", session }).catch(refused);
        // Half of them are followed by a change of settings, the others meet what is sent meanwhile.
        if (random.chance(0.5)) await compacted.then(patch);
      }
      await submit(random.chance(0.5)).catch(refused);
      if (random.chance(0.3)) await submit(true).catch(refused);
      if (random.chance(0.2)) {
        const client_id = this.#id("s");
        await server.ask({ op: "steer", session, client_id, text: "and mind the gap" }).catch(refused);
      }
      if (random.chance(0.2)) await patch();
      await pause(random.below(200));
      if (random.chance(0.25)) await server.ask({ op: "abort", session }).catch(refused);
    });
  }

  /** Forks it at one of its completed Requests; on its way a kill may come. */
  async #fork(server: BareServer, session: string): Promise<void> {
    const points = this.disk.forkPoints(session);
    const point = points[this.random.below(points.length)];
    const id = point && (await server.ask({ op: "fork", session, ...point }).catch(refused));
    if (typeof id === "string") this.#forks.push(id);
  }

  /** After a while, or right after a record was shown. */
  async #moment(): Promise<void> {
    if (this.random.chance(0.5)) return void (await wait(this.random.below(300)));
    const target = this.#records + 1 + this.random.below(80);
    await Promise.race([
      // Long enough for a busy machine to come that far.
      wait(2_000),
      new Promise<void>((resolve) => {
        this.#onRecord = () => this.#records >= target && resolve();
      }),
    ]);
  }

  async round(server: BareServer, kill: number): Promise<BareServer> {
    this.#standby ??= this.#load();
    await this.#fill(server);
    const work = Promise.allSettled(this.#work(server));
    await this.#moment();
    await server.kill();
    await work;
    this.counts.kills += 1;
    if (this.random.chance(0.4)) this.disk.powerCut(this.random);
    const queued = new Set(this.#workers.flatMap((worker) => worker.queued));
    this.disk.tearRotations(this.random, queued);
    const found = this.disk.check(kill);
    this.problems.push(...found.problems.map((problem) => `kill ${kill}: ${problem}`));
    const again = await this.start();
    this.problems.push(...this.disk.leftovers().map((path) => `kill ${kill}: ${path} was left behind`));
    this.problems.push(...this.disk.incomplete().map((problem) => `kill ${kill}: ${problem}`));
    const written = this.disk.sessions();
    await this.open(
      again,
      found.changed.filter((session) => written.includes(session)),
    );
    const alive = this.#workers.filter(({ session }) => written.includes(session));
    await Promise.all(alive.map((worker) => this.#probe(again, worker, kill)));
    this.#workers = alive;
    return again;
  }

  async open(server: BareServer, sessions: string[]): Promise<void> {
    const answer = await within("open", server.ask({ op: "open", sessions }));
    const failed = z.array(z.string()).parse(answer);
    this.counts.opened += sessions.length;
    this.problems.push(...failed.map((one) => `does not open: ${one}`));
  }

  async #probe(server: BareServer, worker: Worked, kill: number): Promise<void> {
    const { session } = worker;
    const before = this.disk.files(session);
    const id = this.#id("p");
    const fault = (what: string) => this.problems.push(`kill ${kill}: ${session}: ${what}`);
    worker.kills += 1;
    const run = server.ask({ op: "run", session, client_id: id, text: `PROBE ${id}` });
    const error = await within(`probe ${session}`, run).catch((thrown: Error) => thrown.message);
    if (error !== null) return void fault(`the next request failed: ${JSON.stringify(error)}`);
    this.counts.probes += 1;
    const request = await this.provider.probe(id);
    if (request === null) return void fault("the next request never came");
    const after = this.disk.files(session);
    const owed = owedMarkers(before);
    for (const marker of owed) if (!request.includes(marker)) fault(`a committed turn is lost: ${marker}`);
    this.counts.turns += owed.length;
    await this.#onceEach(worker, after, fault);
  }

  /** A prompt is recorded at most once, and one that was queued is recorded or still waits. */
  async #onceEach(worker: Worked, files: ReturnType<Disk["files"]>, fault: (what: string) => void): Promise<void> {
    const prompts = promptsOf(files);
    for (const [id, count] of prompts) if (count > 1) fault(`prompt ${id} was recorded ${count} times`);
    const queue = layout(join(this.base, "data")).queue(AGENT, worker.session);
    const waiting = await readFile(queue, "utf8").catch(() => "");
    for (const id of worker.queued) if (!prompts.has(id) && !waiting.includes(`"${id}"`)) fault(`queued ${id} is lost`);
    this.counts.queued += worker.queued.length;
    worker.queued = [];
  }
}

/** A kill in between, or a refusal such as `task_in_progress`. */
function refused(error: unknown): void {
  if (!(error instanceof Gone) && !(error instanceof Error)) throw error;
}

/** `{"kills":300,"seed":1}` -> what was done and what was wrong. */
export async function crash(argument: string) {
  const { kills, seed } = options.parse(JSON.parse(argument));
  const base = await mkdtemp(join(tmpdir(), "penguin-crash-"));
  await mkdir(join(base, "work"));
  const provider = await ProviderProcess.start(seed);
  const run = new CrashRun(base, provider, new Random(seed));
  let server: BareServer | null = null;
  try {
    server = await run.start();
    for (let kill = 1; kill <= kills; kill++) {
      server = await run.round(server, kill);
      if (kill % 50 === 0 && kill < kills) console.error(`${kill} kills, ${run.problems.length} problems`);
    }
    await run.open(server, run.disk.sessions());
    const { violations, requests } = await provider.state();
    run.problems.push(...violations.map((one) => `the provider refused: ${one}`));
    return { counts: { ...run.counts, ...run.disk.totals(), requests }, problems: run.problems, root: base };
  } finally {
    await server?.kill();
    await run.stop();
    provider.stop();
    if (run.problems.length === 0) await rm(base, { recursive: true, force: true });
  }
}
