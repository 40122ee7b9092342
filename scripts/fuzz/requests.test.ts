import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { findRoutes as imported } from "../../app/api/testing/routes";
import { Fuzz, findRoutes } from "./requests.mjs";

const known = { cookies: ["c=1"], tokens: ["t"], project: "p", agent: "a", session: "s", user: "u" };

it("finds every handler under app/api, and the pages", async () => {
  const found = findRoutes().map(({ method, path }) => `${method} ${path}`);
  const names = found.map((name) => name.replace(" /api/", " /"));
  for (const { method, path } of await imported()) expect(names).toContain(`${method} ${path}`);
  expect(found).toContain("GET /p/[project]/settings");
});

it("the same seed gives the same requests, every route comes round, and nothing precious is named in a deletion", () => {
  const routes = findRoutes();
  const requests = (seed: number) => {
    const fuzz = new Fuzz(seed, routes, known);
    return Array.from({ length: routes.length * 3 }, () => fuzz.next());
  };
  const print = (list: ReturnType<typeof requests>) => {
    const hash = createHash("sha256");
    for (const { method, path, headers, body } of list)
      hash.update(method + path + JSON.stringify(headers)).update(body ?? "");
    return hash.digest("hex");
  };
  const first = requests(1);
  expect(print(requests(1))).toBe(print(first));
  expect(print(requests(2))).not.toBe(print(first));
  expect(new Set(first.map(({ route }) => route)).size).toBe(new Set(routes.map((r) => `${r.method} ${r.path}`)).size);
  const deletions = first.filter(({ method }) => method === "DELETE").map(({ path }) => path.split("?")[0]);
  expect(deletions).not.toContain("/api/projects/p");
});
