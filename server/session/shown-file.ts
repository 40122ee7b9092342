/** How a file of the Workspace reaches a browser: as itself, as text, as an isolated page, or only to be saved. */
import { extname } from "node:path";

export type Shown = "inline" | "text" | "page" | "page_with_scripts" | "download";
export const SHOWN = ["inline", "text", "page", "page_with_scripts", "download"] as const satisfies readonly Shown[];

/** Kinds that a browser shows by itself and that run nothing. */
const INLINE: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
  ".pdf": "application/pdf",
};

const ALONE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox";
/** The viewer of a browser is no page of the file: it does not work within `sandbox`. */
const PDF =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; plugin-types application/pdf; frame-ancestors 'self'";

/** A page of the Workspace: an origin of its own, no network, no forms, scripts only when a person asked for them. */
function pagePolicy(scripts: boolean): string {
  const rules = [
    scripts ? "sandbox allow-scripts" : "sandbox",
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    ...(scripts ? ["script-src 'unsafe-inline'"] : []),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return rules.join("; ");
}

export function headersOf(name: string, shown: Shown): Record<string, string> {
  const inline = INLINE[extname(name).toLowerCase()];
  const [type, policy] = ((): [string, string] => {
    if (shown === "page" || shown === "page_with_scripts") {
      return ["text/html; charset=utf-8", pagePolicy(shown === "page_with_scripts")];
    }
    if (shown === "text") return ["text/plain; charset=utf-8", ALONE];
    if (shown === "inline" && inline) return [inline, inline === "application/pdf" ? PDF : ALONE];
    return ["application/octet-stream", ALONE];
  })();
  return {
    "content-type": type,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
}

export function dispositionOf(name: string, shown: Shown): string {
  const saved = shown === "download" || (shown === "inline" && !INLINE[extname(name).toLowerCase()]);
  return `${saved ? "attachment" : "inline"}; filename*=UTF-8''${encodeURIComponent(name)}`;
}
