/** Must load without: what the first view of a conversation brings along, by the import graph. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const ENTRIES = ["components/chat/conversation.tsx", "components/shell/app-frame.tsx", "app/providers.tsx"];
const IMPORT = /^(?:import|export)\s+(?!type\b)([^"]*?)\s*from\s+"([^"]+)"/gm;

function fileOf(from: string, spec: string): string | null {
  const base = spec.startsWith("@/") ? join(root, spec.slice(2)) : resolve(dirname(from), spec);
  return (
    ["", ".ts", ".tsx"].map((end) => base + end).find((path) => existsSync(path) && statSync(path).isFile()) ?? null
  );
}

/** Only names of types: nothing is loaded. */
function isTypes(names: string): boolean {
  const inner = /^\{([\s\S]*)\}$/.exec(names.trim())?.[1];
  return inner?.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type ")) ?? false;
}

/** Packages that are loaded at once, each with the file that asks for it. */
function packages(): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const open = ENTRIES.map((entry) => join(root, entry));
  for (let file = open.pop(); file; file = open.pop()) {
    if (seen.has(file) || !/\.tsx?$/.test(file)) continue;
    seen.add(file);
    for (const [, names = "", spec = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      if (isTypes(names)) continue;
      if (!/^(@\/|\.)/.test(spec)) found.set(spec, file);
      else open.push(fileOf(file, spec) ?? "");
    }
  }
  return found;
}

it("must show 5: Markdown, highlighting, differences and passing messages load when they are needed, a validator never", () => {
  const found = packages();
  expect(found.size).toBeGreaterThan(8);
  for (const late of ["marked", "remend", "highlight.js/lib/common", "diff", "zod", "recharts", "sonner"]) {
    expect(found.get(late), late).toBeUndefined();
  }
});
