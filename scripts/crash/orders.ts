/** What the bare runtime is told, and what it says, over the channel of a forked process. */
import { z } from "zod";

const session = z.string();
const mode = z.enum(["allow-all", "always-ask"]);

export const order = z.discriminatedUnion("op", [
  z.object({ op: z.literal("create"), client_id: z.string(), mode }),
  z.object({
    op: z.literal("submit"),
    session,
    client_id: z.string(),
    text: z.string(),
    queue: z.boolean(),
    /** Its text is worked on in rounds, with a small budget. */
    goal: z.boolean(),
  }),
  /** Submits, and answers when the Session is idle again. */
  z.object({ op: z.literal("run"), session, client_id: z.string(), text: z.string() }),
  z.object({ op: z.literal("steer"), session, client_id: z.string(), text: z.string() }),
  z.object({ op: z.literal("abort"), session }),
  /** Answers when the Session is idle again. */
  z.object({ op: z.literal("compact"), session }),
  /** A title, and a mode. */
  z.object({ op: z.literal("patch"), session, title: z.string(), mode }),
  /** Answers the id of the fork. */
  z.object({ op: z.literal("fork"), session, file: z.number(), line: z.number() }),
  /** Opens each of them; answers what kept one from going on. */
  z.object({ op: z.literal("open"), sessions: z.array(session) }),
  /** Event-loop delay since the last reset, and memory; `collect`: garbage is collected before. */
  z.object({ op: z.literal("figures"), reset: z.boolean(), collect: z.boolean() }),
]);
export type Order = z.infer<typeof order>;
export const request = z.object({ id: z.number(), order });

/** A record that a subscriber was shown: from now on it has to be on disk. */
const shown = z.object({
  shown: z.object({ session, file: z.number(), line: z.number(), type: z.string() }),
});
export type Shown = z.infer<typeof shown>["shown"];

const loop = z.object({
  /** What the figures cover. */
  seconds: z.number(),
  p50_ms: z.number(),
  p99_ms: z.number(),
  p999_ms: z.number(),
  max_ms: z.number(),
  /** How long the main thread ran, and how long it could have run but had no processor. */
  ran_ms: z.number(),
  waited_ms: z.number(),
  gc_ms: z.number(),
  gc_longest_ms: z.number(),
  /** Delays of more than 50 ms: most of it was work, or waiting for a processor. */
  long_by_work: z.number(),
  long_by_wait: z.number(),
});
export const figures = z.object({ loop, rss_mb: z.number(), heap_mb: z.number() });
export type Figures = z.infer<typeof figures>;

export const said = z.union([
  z.object({ ready: z.literal(true) }),
  shown,
  z.object({ id: z.number(), value: z.unknown() }),
  z.object({ id: z.number(), error: z.string() }),
]);

/** Settings of the bare runtime, as its argument. */
export const bareOptions = z.object({
  root: z.string(),
  workspace: z.string(),
  provider: z.string(),
  /** Requests of a context before it is compacted. */
  turns: z.number(),
});
export type BareOptions = z.infer<typeof bareOptions>;

/** Recognised by the provider. */
export const SUMMARY_PROMPT = "SUMMARISE: say between [summary] and [/summary] what was done.";
