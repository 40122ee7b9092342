/** A browser as far as signing in goes, against /api/auth in process and any real server: cookies, redirects, no scripts. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { NextRequest } from "next/server";
import { publicAddress } from "@/server/auth/forwarded";
import { readConfig } from "@/server/config";
import { GET, POST } from "../auth/[...nextauth]/route";

/** next-auth asks Next for headers and cookies of the request; outside of Next, this file answers. */
const asked = new AsyncLocalStorage<NextRequest>();
const current = () => {
  const request = asked.getStore();
  if (!request) throw new Error("no request");
  return request;
};

/** Until the function that this returns is called, next-auth takes headers and cookies from here. */
export function standInForNext(): () => void {
  const next: Record<string, unknown> = createRequire(createRequire(import.meta.url).resolve("next-auth"))(
    "next/headers",
  );
  const before = { ...next };
  Object.assign(next, { headers: async () => current().headers, cookies: async () => current().cookies });
  return () => void Object.assign(next, before);
}

export class AuthBrowser {
  /** Every Set-Cookie line of our site. */
  readonly set: string[] = [];
  /** By origin. */
  readonly #jars = new Map<string, Map<string, string>>();

  constructor(
    readonly site = "http://127.0.0.1:7364",
    private readonly headers: Record<string, string> = {},
  ) {}

  jar(origin = this.site): Map<string, string> {
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }

  /** The Cookie header of our site. */
  get cookie(): string {
    return [...this.jar()].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async request(
    url: string,
    init: { form?: Record<string, string>; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const target = new URL(url, this.site);
    const cookie = [...this.jar(target.origin)].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = init.form ? new URLSearchParams(init.form) : init.body;
    const given: RequestInit = {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { ...(cookie ? { cookie } : {}), ...this.headers, ...init.headers },
      ...(body === undefined ? {} : { body }),
    };
    const response = target.origin === this.site ? await ours(target, given) : await fetch(target, given);
    for (const line of response.headers.getSetCookie()) this.#keep(target.origin, line);
    return response;
  }

  #keep(origin: string, line: string): void {
    if (origin === this.site) this.set.push(line);
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const gone = value === "" || attributes.some((one) => /^\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(one));
    if (gone) this.jar(origin).delete(name);
    else this.jar(origin).set(name, value);
  }

  async csrf(): Promise<string> {
    const { csrfToken } = await (await this.request("/api/auth/csrf")).json();
    return csrfToken;
  }

  /** Begins at our sign-in page; resolves with the address at the provider, or ours when that failed. */
  async begin(callbackUrl = "/"): Promise<string> {
    const form = { callbackUrl, csrfToken: await this.csrf(), json: "true" };
    const { url } = await (await this.request("/api/auth/signin/oidc", { form })).json();
    return url;
  }

  /** Through the provider's pages as `login`; null: cancels there. Resolves with the address it sends the browser back to. */
  async through(begun: string, login: string | null): Promise<string> {
    let url = begun;
    for (let i = 0; i < 10; i++) {
      const here = new URL(url);
      if (here.origin === new URL(this.site).origin || here.pathname.startsWith("/api/auth/")) return url;
      const page = here.pathname.startsWith("/interaction/");
      const form = page ? { login: login ?? "", do: login === null ? "cancel" : "go" } : undefined;
      const response = await this.request(url, { form });
      const next = response.headers.get("location");
      if (!next) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
      url = new URL(next, url).href;
    }
    throw new Error("the provider goes round in circles");
  }

  /** All of it; resolves with the path to which the browser is sent in the end. */
  async signIn(login: string | null, callbackUrl = "/"): Promise<string> {
    const back = await this.through(await this.begin(callbackUrl), login);
    return this.finish(back);
  }

  /** The provider's answer, given to us. */
  async finish(back: string): Promise<string> {
    const response = await this.request(back);
    return response.headers.get("location") ?? `${response.status}`;
  }
}

/** As Next does it: what proxy.ts says of the address, then the route. */
async function ours(url: URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("host")) headers.set("host", url.host);
  const { proto, host } = publicAddress(headers, readConfig());
  headers.set("x-forwarded-proto", proto);
  headers.set("x-forwarded-host", host);
  const request = new NextRequest(url, { method: init.method, headers, body: init.body });
  const context = { params: Promise.resolve({ nextauth: url.pathname.split("/").slice(3) }) };
  return asked.run(request, () => (init.method === "POST" ? POST : GET)(request, context));
}
