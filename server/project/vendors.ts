/** Model vendors we know: their own address, and the environment variables that may hold a key for it. */
import type { CLIENT_TYPES } from "../../lib/api/schemas";

type ClientType = (typeof CLIENT_TYPES)[number];

/** Where keys of vendors may come from. */
export type Env = Readonly<Record<string, string | undefined>>;

interface Vendor {
  /** `<PREFIX>_API_KEY`, `<PREFIX>_BASE_URL`. */
  prefix: string;
  /** The vendor's own addresses; the first one is used when a model names none. */
  bases: readonly string[];
  client_type: ClientType;
}

const VENDORS: Record<string, Vendor> = {
  openai: { prefix: "OPENAI", bases: ["https://api.openai.com/v1"], client_type: "openai-chat" },
  deepseek: { prefix: "DEEPSEEK", bases: ["https://api.deepseek.com/v1"], client_type: "openai-chat" },
  anthropic: { prefix: "ANTHROPIC", bases: ["https://api.anthropic.com"], client_type: "anthropic-messages" },
  gemini: { prefix: "GEMINI", bases: ["https://generativelanguage.googleapis.com"], client_type: "gemini" },
  zai: { prefix: "ZAI", bases: ["https://api.z.ai/api/paas/v4"], client_type: "openai-chat" },
  moonshot: {
    prefix: "MOONSHOT",
    bases: ["https://api.moonshot.ai/v1", "https://api.moonshot.cn/v1"],
    client_type: "openai-chat",
  },
};

/** Gateways and servers of one's own speak the OpenAI protocol and share its variables. */
function prefixOf(provider: string): string {
  return VENDORS[provider]?.prefix ?? "OPENAI";
}

export function clientTypeOf(provider: string): ClientType {
  return VENDORS[provider]?.client_type ?? "openai-chat";
}

/** Origin of a URL; null when it is none. */
export function originOf(url: string | undefined): string | null {
  return url && URL.canParse(url) ? new URL(url).origin : null;
}

/** Where requests of this provider go when the model names no address. */
export function baseUrlOf(provider: string, env: Env): string | undefined {
  const vendor = VENDORS[provider];
  return vendor && (env[`${vendor.prefix}_BASE_URL`] || vendor.bases[0]);
}

/**
 * The environment variable whose key may go to `baseUrl`: it is set, and the address is the vendor's own or the one
 * that the environment itself names. null: none.
 */
export function envKeyFor(provider: string, baseUrl: string | undefined, env: Env): string | null {
  const prefix = prefixOf(provider);
  const name = `${prefix}_API_KEY`;
  const target = originOf(baseUrl);
  if (!env[name] || !target) return null;
  const own = Object.values(VENDORS).find((vendor) => vendor.prefix === prefix)?.bases ?? [];
  const allowed = [...own, env[`${prefix}_BASE_URL`]].map((url) => originOf(url));
  return allowed.includes(target) ? name : null;
}
