// @ts-check
/**
 * Malformed requests over all routes, from a seed: the same seed over the same routes gives the same requests. Routes
 * are found in the files of `app`, names of fields in the schemas of `lib/api`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../setup.mjs";

/** @typedef {{ method: string, path: string }} Route */
/** @typedef {{ cookies: string[], tokens: string[], project: string, agent: string, session: string, user: string }} Known */
/** @typedef {{ route: string, method: string, path: string, headers: Record<string, string>, body: Buffer | null }} FuzzRequest */

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Address of a file of `app` without its folders in parentheses. @param {string} file */
const pathOf = (file) => `/${file.replace(/\/?(route|page)\.tsx?$/, "")}`.replace(/\/\([^)]*\)/g, "") || "/";

/** Method and path of every exported handler, and of every page. @returns {Route[]} */
export function findRoutes() {
  const app = join(projectDir, "app");
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).sort();
  const handlers = files
    .filter((file) => /(^|\/)route\.tsx?$/.test(file))
    .flatMap((file) => {
      const exported = readFileSync(join(app, file), "utf8").match(
        /^export (const|async function|function|\{)[^=(;]*/gm,
      );
      const names = (exported ?? []).join("\n");
      const methods = METHODS.filter((method) => new RegExp(`\\b${method}\\b`).test(names));
      return methods.map((method) => ({ method, path: pathOf(file) }));
    });
  const pages = files
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => ({ method: "GET", path: pathOf(file) }));
  return [...handlers, ...pages];
}

/** Names that the schemas know, so that random bodies get further than the first check. @returns {string[]} */
function fieldNames() {
  const folder = join(projectDir, "lib", "api");
  const found = readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => readFileSync(join(folder, file), "utf8").match(/^\s+(\w+): [a-zA-Z.]*[z(]/gm) ?? [])
    .map((line) => line.trim().split(":")[0] ?? "");
  return [...new Set(found)];
}

/** Mulberry32. @param {number} seed */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As they stand in an address. */
const SEGMENTS = [
  "..",
  "%2e%2e",
  "%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%5c..%5c",
  "%00",
  "a%00b",
  "%",
  "%zz",
  "%ff%fe",
  "%c0%ae%c0%ae",
  "%F0%9F%98%80",
  "%ED%A0%80",
  "__proto__",
  "constructor",
  "-1",
  "0",
  "1e309",
  "999999999999999999999",
  "null",
  "%20",
  "a%2Fb",
  "%0d%0aSet-Cookie:%20x=1",
  ";x=1",
  "@",
  "x".repeat(300),
  "x".repeat(6_000),
];
const TEXTS = [
  "",
  " ",
  "\u0000",
  "..",
  "../../../../etc/passwd",
  "/etc",
  "/proc/self/environ",
  "\ud800",
  "\u202e\ufeff",
  "😀".repeat(40),
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "__proto__",
  "x".repeat(5_000),
  "%2e%2e",
  "-1",
  "0",
  "NaN",
  "1e400",
  "true",
  "2026-13-45T99:99:99Z",
  "2026-01-01T00:00:00Z",
  "UTC",
  "Mars/Base",
  "http://127.0.0.1:1",
  "file:///etc/passwd",
  "data:image/png;base64,AAAA",
  "1:1",
  "9:999999999",
  "owner",
  "viewer",
  "allow-all",
  "day,agent,model,user,session",
];
const QUERY =
  "limit cursor q path as before offset from to tz group_by agent model user category session last_event_id accept_damage replace by kind provider model_id sessions a b".split(
    " ",
  );
const TYPES = [
  ...Array.from({ length: 10 }, () => "application/json"),
  "application/json; charset=utf-16",
  "application/x-ndjson",
  "application/gzip",
  "application/octet-stream",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "",
  ";;;",
];
/** What takes something away that the other requests need: never with a valid id. */
const PRECIOUS =
  /^DELETE .*\/(\[project\]|\[agent\]|\[session\]|\[user\])$|^(DELETE|PATCH|POST) \/api\/users\/\[user\]|^POST \/api\/me\/password/;

export class Fuzz {
  #next;
  #routes;
  #fields = fieldNames();
  /** @param {number} seed @param {Route[]} routes @param {Known} known */
  constructor(seed, routes, known) {
    this.#next = random(seed);
    this.#routes = routes;
    this.known = known;
    this.count = 0;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  #of(list) {
    return /** @type {T} */ (list[Math.floor(this.#next() * list.length)]);
  }
  /** @param {number} chance */
  #maybe(chance) {
    return this.#next() < chance;
  }

  /** Every route comes round. @returns {FuzzRequest} */
  next() {
    const route = this.#routes[this.count++ % this.#routes.length];
    if (!route) throw new Error("no routes");
    const name = `${route.method} ${route.path}`;
    const method = this.#maybe(0.05) ? this.#of([...METHODS, "OPTIONS", "HEAD", "PROPFIND"]) : route.method;
    const precious = PRECIOUS.test(`${method} ${route.path}`);
    const body =
      method === "GET" || method === "HEAD" ? (this.#maybe(0.03) ? this.#body(name) : null) : this.#body(name);
    const headers = this.#headers(body);
    return { route: name, method, path: this.#path(route.path, precious) + this.#query(), headers, body };
  }

  /** @param {string} path @param {boolean} precious */
  #path(path, precious) {
    const { project, agent, session, user } = this.known;
    /** @type {Record<string, string>} */
    const valid = { project, agent, session, user, index: "1", line: "1", file: "notes.txt" };
    return path.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name) =>
      !precious && this.#maybe(0.88) && valid[name] ? valid[name] : this.#of(SEGMENTS),
    );
  }

  #query() {
    if (this.#maybe(0.5)) return "";
    const pairs = Array.from({ length: 1 + Math.floor(this.#next() * 4) }, () => {
      const value = this.#of(TEXTS);
      const spelt = this.#maybe(0.15) ? this.#of(SEGMENTS) : encodeURIComponent(value.replace(/[\ud800-\udfff]/g, "x"));
      return `${this.#of(QUERY)}=${spelt}`;
    });
    return `?${pairs.join("&")}`;
  }

  /** @param {Buffer | null} body */
  #headers(body) {
    /** @type {Record<string, string>} */
    const headers = {};
    const type = this.#of(TYPES);
    if (type && (body || this.#maybe(0.2))) headers["content-type"] = type;
    const who = this.#next();
    if (who < 0.7) headers.cookie = this.#of(this.known.cookies);
    else if (who < 0.8) headers.authorization = `Bearer ${this.#of(this.known.tokens)}`;
    else if (who < 0.85)
      headers.authorization = this.#of(["Bearer", "Bearer ..", "Basic YTpi", `Bearer ${"x".repeat(3_000)}`]);
    else if (who < 0.95)
      headers.cookie = this.#of([
        "a=b; ;;=",
        `${"x=y; ".repeat(300)}`,
        `${this.#of(this.known.cookies).slice(0, -5)}AAAAA`,
      ]);
    if (this.#maybe(0.15)) headers.origin = this.#of(["http://evil.test", "null", "://", ""]);
    if (this.#maybe(0.1))
      headers.range = this.#of([
        "bytes=",
        "bytes=-1",
        "bytes=9-1",
        "bytes=0-0,5-",
        "lines=1",
        "bytes=99999999999999999999-",
      ]);
    if (this.#maybe(0.1)) headers["last-event-id"] = this.#of(TEXTS).replace(/[^\x20-\x7e]/g, "?");
    if (this.#maybe(0.1)) headers["if-none-match"] = this.#of(['"', "*", 'W/"x"', "x".repeat(2_000)]);
    if (this.#maybe(0.1)) headers["x-forwarded-host"] = this.#of(["evil.test", "a,b", "[", ""]);
    if (this.#maybe(0.1)) headers["accept-language"] = this.#of([";;", "zh;q=x", "x".repeat(1_000)]);
    if (this.#maybe(0.05)) headers.expect = "100-continue";
    return headers;
  }

  /** @param {string} route @returns {Buffer} */
  #body(route) {
    const kind = this.#next();
    if (kind < 0.05) return Buffer.alloc(0);
    if (kind < 0.1)
      return Buffer.from(
        this.#of(["{", '{"name":', "[", "nul", '"', "{]", '{"a":1,}', "\ufeff{}", "1e999", "--x\r\n"]),
      );
    if (kind < 0.14) return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x7d]);
    if (kind < 0.18) return Buffer.from(this.#of(["[", '{"model":', '{"input":[']).repeat(5_000));
    if (kind < 0.2) return Buffer.from(`{"name":"${"x".repeat(2_200_000)}"}`);
    if (kind < 0.22) return Buffer.from('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}');
    if (kind < 0.35) return Buffer.from(this.#lines());
    const value = kind < 0.75 ? this.#template(route) : this.#value(0, true);
    return Buffer.from(JSON.stringify(value) ?? "");
  }

  /** Something like a Trace. */
  #lines() {
    const lines = Array.from({ length: 1 + Math.floor(this.#next() * 5) }, (_, i) => {
      const type = i === 0 && this.#maybe(0.7) ? "session_meta" : this.#of(["model_msg", "event_msg", "x"]);
      return JSON.stringify({ timestamp: this.#of(TEXTS), type, payload: this.#value(1, true) });
    });
    return lines.join(this.#of(["\n", "\r\n", "\n\n"])).slice(0, this.#maybe(0.2) ? 40 : undefined);
  }

  /** Bodies that are right but for one or two things. @param {string} route */
  #template(route) {
    const { project, agent, session, user } = this.known;
    /** @type {[route: RegExp, make: () => Record<string, unknown>][]} */
    const all = [
      [/tasks$/, () => ({ input: [{ type: "text", text: "hello" }], client_id: "x" })],
      [/tasks$|steer$/, () => ({ input: [{ type: "image", data_url: "data:image/png;base64,AAAA" }] })],
      [
        /tasks$/,
        () => ({
          input: [{ type: "file", name: "a.txt", data_url: "data:text/plain;base64,AAAA" }],
          goal: { budget: 5 },
        }),
      ],
      [/steer$/, () => ({ text: "turn left", images: [], client_id: "y" })],
      [/approvals/, () => ({ decision: "allow" })],
      [/fork$/, () => ({ file_index: 1, line: 3 })],
      [
        /sessions$/,
        () => ({ workspace: "/tmp", approval_mode: "read-only", model: { provider: "demo", model_id: "demo" } }),
      ],
      [/\[session\]$/, () => ({ title: "x", archived: false, visibility: "team", thinking_level: null })],
      [/members/, () => ({ user, role: "viewer" })],
      [
        /models$/,
        () => ({ default_model: null, models: [{ provider: "p", model_id: "m", base_url: "http://127.0.0.1:1/v1" }] }),
      ],
      [/models/, () => ({ base_url: "http://127.0.0.1:1/v1", provider: "p" })],
      [
        /command-policy$/,
        () => ({ enabled: true, rules: [{ name: "a", pattern: "x", description: "", enabled: true }] }),
      ],
      [
        /budgets$/,
        () => ({ budgets: [{ scope: { kind: "project" }, period: "day", kind: "soft", limit_usd: 1, tz: "UTC" }] }),
      ],
      [/marks$/, () => ({ pin: `${agent}/${session}`, seen: { [`${agent}/${session}`]: "2026-01-01T00:00:00Z" } })],
      [/tokens$/, () => ({ name: "script", scopes: ["read"], projects: [project] })],
      [/(projects|agents|users)$/, () => ({ id: "made_up", name: "Made up" })],
      [/files/, () => ({ names: ["a", "../b"], paths: ["x"] })],
      [/password$|auth-link$|invitation$/, () => ({ token: `${user}.x`, password: "long-enough" })],
      [/shares/, () => ({ title: "x", turns: [{ file_index: 1, line: 3 }], tools: true, hide: ["hello"] })],
    ];
    const meant = all.filter(([pattern]) => pattern.test(route));
    const made = this.#of(meant.length > 0 && this.#maybe(0.75) ? meant : all)[1]();
    const value = { ...made };
    for (let i = this.#maybe(0.5) ? 1 : 2; i > 0; i--) {
      const key = this.#of(Object.keys(value));
      if (this.#maybe(0.2)) delete value[key];
      else value[this.#maybe(0.8) ? key : this.#of(this.#fields)] = this.#value(2, false);
      if (Object.keys(value).length === 0) break;
    }
    return value;
  }

  /** @param {number} depth @param {boolean} object @returns {unknown} */
  #value(depth, object) {
    const kind = object ? 0.95 : this.#next();
    if (kind < 0.35) return this.#of(TEXTS);
    if (kind < 0.5) return this.#of([0, -1, 1, 1.5, 2 ** 53, -(2 ** 31), 1e308]);
    if (kind < 0.6) return this.#of([true, false, null]);
    if (depth > 3) return [];
    if (kind < 0.8)
      return Array.from({ length: this.#maybe(0.05) ? 3_000 : Math.floor(this.#next() * 4) }, () =>
        depth > 1 ? 0 : this.#value(depth + 1, false),
      );
    const keys = Array.from({ length: Math.floor(this.#next() * 5) }, () => this.#of(this.#fields));
    return Object.fromEntries(keys.map((key) => [key, this.#value(depth + 1, false)]));
  }
}
