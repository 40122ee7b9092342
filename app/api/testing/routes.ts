/** Every exported method of every route file under app: for tests that go through all of them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

export type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
export interface FoundRoute {
  /** `GET /projects/[project]` */
  name: string;
  method: string;
  path: string;
  handler: Handler;
}

const folder = join(import.meta.dirname, "../..");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export async function findRoutes(): Promise<FoundRoute[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)route\.tsx?$/.test(file),
  );
  const found = files.map(async (file) => {
    const path = `/${file.replace(/^api\//, "").replace(/\/?route\.tsx?$/, "")}`;
    const exported: Record<string, unknown> = await import(join(folder, file));
    return METHODS.flatMap((method): FoundRoute[] => {
      const handler = exported[method];
      return typeof handler === "function"
        ? [{ name: `${method} ${path}`, method, path, handler: (request, context) => handler(request, context) }]
        : [];
    });
  });
  return (await Promise.all(found)).flat().sort((a, b) => a.name.localeCompare(b.name));
}

/** The dynamic parts of a route's path, in order. */
export const namesIn = (path: string): string[] =>
  [...path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map((match) => match[1] ?? "");
/** The path with these values; what has none is `x`. */
export const pathWith = (path: string, values: Record<string, string>): string =>
  path.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) => values[name] ?? "x");
