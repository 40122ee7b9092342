import { it } from "vitest";
import { rotationCuts } from "./testing/rotation-cuts";

it("RS6: cut at every byte of the write of a head, nothing is lost", { timeout: 300_000 }, async () => {
  const { server, head, check } = await rotationCuts();
  for (let bytes = 0; bytes <= head; bytes += 1) await check(bytes);
  await server.remove();
});
