/** Under which address did the browser reach us? One answer for redirects, cookies and links. */
import type { Config } from "../config";

export interface PublicAddress {
  proto: "http" | "https";
  /** Host with port. */
  host: string;
}

const first = (value: string | null) => value?.split(",")[0]?.trim() || undefined;

/** The first host named; undefined for what is none, as only a program sends it. */
function hostOf(value: string | null): string | undefined {
  const host = first(value);
  return host && /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`) ? host : undefined;
}

/**
 * PENGUIN_PUBLIC_URL decides; else, behind a trusted proxy, its X-Forwarded headers; else the Host header and http:
 * what a client claims in X-Forwarded headers is ignored.
 */
export function publicAddress(headers: Headers, config: Pick<Config, "publicUrl" | "trustProxy">): PublicAddress {
  if (config.publicUrl && URL.canParse(config.publicUrl)) {
    const url = new URL(config.publicUrl);
    return { proto: url.protocol === "https:" ? "https" : "http", host: url.host };
  }
  const host = hostOf(headers.get("host")) ?? "127.0.0.1";
  if (!config.trustProxy) return { proto: "http", host };
  const proto = first(headers.get("x-forwarded-proto")) === "https" ? "https" : "http";
  return { proto, host: hostOf(headers.get("x-forwarded-host")) ?? host };
}
