import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "./e2e",
  // Two cores: one browser and the servers under test.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // A retry hides a bug.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    // Recording every frame costs half the time on two cores; `npx playwright test --trace on` for one that fails.
    trace: "off",
    screenshot: "only-on-failure",
    video: "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
