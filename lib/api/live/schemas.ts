/** What a browser asks of its one connection. Browser code imports only types. */
import { z } from "zod";

/** POST stream/:id. With `session` it is that Session's stream, without one the states of the Project's Sessions. */
const subscription = z.strictObject({
  /** The browser's number of the stream: stands in front of its events. */
  sub: z.number().int().min(1),
  project: z.string(),
  agent: z.string().optional(),
  session: z.string().optional(),
  last_event_id: z.string().max(64).optional(),
});
export type Subscription = z.infer<typeof subscription>;
export const streamChangeBody = z.strictObject({
  subscribe: z.array(subscription).max(100).default([]),
  unsubscribe: z.array(z.number().int()).max(1_000).default([]),
});
export type StreamChangeBody = z.infer<typeof streamChangeBody>;
