/** What every fake vendor can say, whatever its protocol: an answer in parts, usage, errors; and what it refuses. */
import type { JsonObject } from "../json";

export type WirePart =
  | { text: string }
  | { thinking: string }
  | { call: WireCall }
  /** Thinking that the vendor does not show. */
  | { hidden: string };

export interface WireCall {
  id: string;
  name: string;
  args: string;
}

/** Tokens of one Request; each protocol adds and splits them in its own way. */
export interface WireUsage {
  /** Input that neither came from the cache nor went into it. */
  fresh: number;
  cached: number;
  created: number;
  output: number;
}
export type WireError = "auth" | "rate_limit" | "server" | "refused" | "context";

export interface Wire {
  /** A whole streamed answer in several pieces; `end: "none"` stops before anything that says that it is over. */
  answer(parts: WirePart[], end: "stop" | "length" | "none", usage?: WireUsage): string;
  /** Whole calls whose fragments interleave; absent: in this protocol calls come in one piece. */
  interleaved?(calls: WireCall[]): string;
  /** Body of a failed HTTP answer. */
  error(kind: WireError, message: string): string;
  /** An error inside a stream that began with 200, after some text. */
  errorInside(text: string, message: string): string;
  /** What a strict vendor of this protocol refuses in a request; [] when it is legal. */
  illegal(body: JsonObject, headers: Readonly<Record<string, unknown>>, path: string): string[];
  /** Does this path ask for an answer? */
  asks(path: string): boolean;
  /** Body of the list of models. */
  models(ids: string[]): string;
}

/** Two pieces, cut between characters. */
export function halves(text: string): string[] {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle).join(""), points.slice(middle).join("")].filter((x) => x !== "");
}

/** Opaque data that belongs to this content and to no other. Base64, with characters that need no escape. */
export function seal(kind: string, content: string): string {
  return Buffer.from(`${kind}|${content}`).toString("base64");
}

/** One server-sent event. */
export function sse(value: JsonObject, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}

/** Members that are not on the list: what a strict vendor calls extra inputs. */
export function extras(value: JsonObject, allowed: readonly string[], where: string): string[] {
  return Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => `${where}: extra input ${key}`);
}
