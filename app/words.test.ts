/** Which words a page is sent, by the import graph: every key that a page or its frame may show. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { AREAS, type Area } from "@/lib/i18n/areas";

const root = join(import.meta.dirname, "..");
const IMPORT = /^(?:import|export)\s+(?!type\b)[^"]*?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
/** A whole text, or the beginning of a template. */
const TEXT = /["'`]([a-z][\w.-]*)(["'`]|\$\{)/g;

const areaOf = new Map<string, Area>();
for (const area of Object.keys(AREAS).filter((name): name is Area => name in AREAS))
  for (const key of Object.keys(AREAS[area])) areaOf.set(key, area);

function fileOf(from: string, spec: string): string | null {
  if (!/^(@\/|\.)/.test(spec)) return null;
  const base = spec.startsWith("@/") ? join(root, spec.slice(2)) : resolve(dirname(from), spec);
  return (
    ["", ".ts", ".tsx"].map((end) => base + end).find((path) => existsSync(path) && statSync(path).isFile()) ?? null
  );
}

interface Facts {
  imports: string[];
  used: Map<Area, string>;
}
const read = new Map<string, Facts>();

function factsOf(file: string): Facts {
  const known = read.get(file);
  if (known) return known;
  const text = readFileSync(file, "utf8");
  const imports = [...text.matchAll(IMPORT)].map(([, at = "", late = ""]) => fileOf(file, at || late) ?? "");
  const used = new Map<Area, string>();
  for (const [, key = "", end] of text.matchAll(TEXT)) {
    const whole = areaOf.get(key);
    if (whole && end !== "${") used.set(whole, key);
    if (end === "${" && key.includes("."))
      for (const [one, area] of areaOf) if (one.startsWith(key)) used.set(area, one);
  }
  const facts = { imports, used };
  read.set(file, facts);
  return facts;
}

/** Areas of the words of a file and of all it imports, at once or later, with one key of each. */
function usedBy(entry: string): Map<string, string> {
  const used = new Map<string, string>();
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !/\.tsx?$/.test(file) || /\/(server|lib\/i18n)\//.test(file)) continue;
    seen.add(file);
    const facts = factsOf(file);
    open.push(...facts.imports);
    for (const [area, key] of facts.used) used.set(area, `${key} in ${relative(root, file)}`);
  }
  return used;
}

/** Areas that a file sends. */
function sentBy(file: string): string[] {
  const [, list = ""] = /<Words areas=\{\[([^\]]*)\]\}>/.exec(readFileSync(file, "utf8")) ?? [];
  return [...list.matchAll(/"(\w+)"/g)].map(([, area = ""]) => area);
}

/** The file and the layouts around it. */
function chainOf(file: string): string[] {
  const chain = [file];
  for (let folder = dirname(file); folder !== root; folder = dirname(folder)) {
    const layout = join(folder, "layout.tsx");
    if (existsSync(layout) && layout !== file) chain.push(layout);
  }
  return chain;
}

it("every page sends the words of all it may show, and of no area besides", () => {
  const names = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" });
  const pages = names.filter((name) => /(^|\/)(page|layout|error|not-found)\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(15);
  const missing: string[] = [];
  const needless: string[] = [];
  for (const page of pages) {
    const file = join(root, "app", page);
    const sent = new Set(chainOf(file).flatMap(sentBy));
    const used = usedBy(file);
    for (const [area, where] of used) if (!sent.has(area)) missing.push(`${page}: "${area}" (${where})`);
    for (const area of sentBy(file))
      if (area !== "shell" && area !== "errors" && !used.has(area)) needless.push(`${page}: "${area}"`);
  }
  expect(missing).toEqual([]);
  expect(needless).toEqual([]);
});
