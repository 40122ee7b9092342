import { expect, it } from "vitest";
import { rotationCuts } from "./testing/rotation-cuts";

it("RS6: cut around every line end of the write of a head, and within, nothing is lost", async () => {
  const { server, head, borders, check } = await rotationCuts();
  expect(borders).toHaveLength(4);
  const around = borders.flatMap((at) => [at - 1, at, at + 1]);
  const within = borders.map((at) => at - 40);
  for (const bytes of [0, 1, ...around, ...within]) if (bytes <= head) await check(bytes);
  await server.remove();
});
