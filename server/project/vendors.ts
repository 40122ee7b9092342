/** Vendors of the catalog as the server meets them: addresses, and environment variables that may hold a key. */
import { catalog, vendorOf } from "../../lib/model/catalog";
import type { ClientType } from "../../lib/model/protocol";

/** Where keys of vendors may come from. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Gateways and servers of one's own speak the OpenAI protocol and share its variables. */
function prefixOf(provider: string): string {
  return vendorOf(provider)?.env ?? "OPENAI";
}

export function clientTypeOf(provider: string): ClientType {
  return vendorOf(provider)?.client_type ?? "openai-chat";
}

/** Origin of a URL; null when it is none. */
export function originOf(url: string | undefined): string | null {
  return url && URL.canParse(url) ? new URL(url).origin : null;
}

/** Where requests of this provider go when the model names no address. */
export function baseUrlOf(provider: string, env: Env): string | undefined {
  const vendor = vendorOf(provider);
  return vendor && (env[`${vendor.env}_BASE_URL`] || vendor.bases[0]);
}

/** Is this the vendor's own address, where the catalog's prices hold? */
export function isVendorsOwn(provider: string, baseUrl: string | undefined): boolean {
  const target = originOf(baseUrl);
  return target !== null && (vendorOf(provider)?.bases.some((base) => originOf(base) === target) ?? false);
}

/** The environment variable of this provider's key, set or not. */
export const envNameOf = (provider: string): string => `${prefixOf(provider)}_API_KEY`;

/**
 * The environment variable whose key may go to `baseUrl`: it is set, and the address is the vendor's own or the one
 * that the environment itself names. null: none.
 */
export function envKeyFor(provider: string, baseUrl: string | undefined, env: Env): string | null {
  const prefix = prefixOf(provider);
  const name = envNameOf(provider);
  const target = originOf(baseUrl);
  if (!env[name] || !target) return null;
  const own = catalog().vendors.find((vendor) => vendor.env === prefix)?.bases ?? [];
  const allowed = [...own, env[`${prefix}_BASE_URL`]].map((url) => originOf(url));
  return allowed.includes(target) ? name : null;
}
