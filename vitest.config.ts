import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic" } },
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["{lib,server,components,app,scripts}/**/*.test.{ts,tsx}"],
    exclude: process.env.PENGUIN_SLOW ? [] : ["**/*.slow.test.ts"],
    environment: "node",
    // The machine has few cores; more workers only make timing worse.
    maxWorkers: 2,
    // Only what hangs is to end here: a busy machine makes everything ten times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
