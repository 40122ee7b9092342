import { expect, it, vi } from "vitest";
import { refreshSessions } from "./refresh";

it("many wishes at once are one reading, and those that come while it runs are one more", async () => {
  vi.useFakeTimers();
  let running = 0;
  let most = 0;
  let all = 0;
  const client = {
    invalidateQueries: async () => {
      all += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 100));
      running -= 1;
    },
  };
  for (let i = 0; i < 10; i++) void refreshSessions(client, "p");
  await vi.advanceTimersByTimeAsync(199);
  expect(running).toBe(0);
  for (let waited = 0; all === 0 && waited < 801; waited += 1) await vi.advanceTimersByTimeAsync(1);
  expect(running).toBe(1);
  for (let i = 0; i < 10; i++) void refreshSessions(client, "p");
  await vi.advanceTimersByTimeAsync(5_000);
  expect([all, most]).toEqual([2, 1]);
  void refreshSessions(client, "p");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(all).toBe(3);
  vi.useRealTimers();
});
