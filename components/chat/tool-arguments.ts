/** Arguments of a call, read leniently: they may still be streaming, or be no JSON at all. */

export type Arguments = Record<string, unknown>;

/** The object in the text, as far as it is there; null when there is none. */
export function readArguments(text: string, streaming: boolean): Arguments | null {
  const whole = parseObject(text.trim() === "" ? "{}" : text);
  return whole ?? (streaming ? parseObject(closed(text)) : null);
}

function parseObject(text: string): Arguments | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Half-written JSON with its open string and brackets closed; a key without a value is dropped. */
function closed(text: string): string {
  const closers: string[] = [];
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") closers.push("}");
    else if (char === "[") closers.push("]");
    else if (char === "}" || char === "]") closers.pop();
  }
  const body = inString ? `${text.replace(/\\(u[0-9a-fA-F]{0,3})?$/, "")}"` : text;
  const clean = body
    .replace(/[,{]\s*"[^"]*"?\s*:?\s*$/, (tail) => (tail.startsWith("{") ? "{" : ""))
    .replace(/,\s*$/, "");
  return clean + closers.reverse().join("");
}

export function text(args: Arguments | null, name: string): string | undefined {
  const value = args?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Language of a file by its name, as the highlighter knows it. */
export function languageOf(path: string): string | undefined {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  if (!extension) return undefined;
  return LANGUAGES[extension] ?? extension;
}

const LANGUAGES: Record<string, string> = {
  mjs: "javascript",
  cjs: "javascript",
  tsx: "typescript",
  mts: "typescript",
  yml: "yaml",
  htm: "xml",
  html: "xml",
  svg: "xml",
  sh: "bash",
  md: "markdown",
  rs: "rust",
  py: "python",
  h: "c",
};
