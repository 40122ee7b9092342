import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const ROOMS = ["lib", "server", "components", "app", "scripts"];
/** What changes a module or a global for whoever runs after it in the same process. */
const REPLACES = /\bvi\.(mock|doMock|resetModules|stubGlobal|stubEnv)\(/;

const tests = ROOMS.flatMap((room) =>
  readdirSync(join(import.meta.dirname, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name) && (process.env.PENGUIN_SLOW || !name.endsWith(".slow.test.ts")))
    .map((name) => `${room}/${name}`),
);
const alone = tests.filter((path) => REPLACES.test(readFileSync(join(import.meta.dirname, path), "utf8")));

/** Folder names like `[project]` are no patterns. */
const exactly = (path: string) => path.replace(/[[\]()]/g, "\\$&");

export default defineConfig({
  oxc: { jsx: { runtime: "automatic" } },
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    environment: "node",
    setupFiles: ["lib/i18n/testing.ts", "components/ui/testing.ts"],
    // The machine has few cores; more workers only make timing worse.
    maxWorkers: 2,
    // Only what hangs is to end here: a busy machine makes everything ten times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      // A process and its modules for many files: half of the time went into loading them again for each.
      {
        extends: true,
        test: {
          name: "together",
          include: [`{${ROOMS}}/**/*.test.{ts,tsx}`],
          exclude: [...alone.map(exactly), ...(process.env.PENGUIN_SLOW ? [] : ["**/*.slow.test.ts"])],
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: alone.map(exactly) } },
    ],
  },
});
