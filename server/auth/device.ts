/** What a browser calls itself, in a few words that a person recognises. */

const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** "Firefox, Windows"; a program by its first word; undefined when nothing was said. */
export function deviceOf(userAgent: unknown): string | undefined {
  if (typeof userAgent !== "string" || userAgent.trim() === "") return undefined;
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const named = [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(", ");
  return (
    named ||
    userAgent
      .replace(/[^\x20-\x7e]/g, "")
      .split(/[\s(]/)[0]
      ?.slice(0, 40) ||
    undefined
  );
}
