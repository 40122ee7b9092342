import { expect, it } from "vitest";
import { lineInside } from "./queries";

it("lineInside gives the line as it stands in the file, spellings included", () => {
  const line = '{"timestamp":"t", "type":"event_msg","payload":{"type":"x","n":1.0,"big":12345678901234567890}}';
  expect(lineInside(`{"line":12,"message":${line}}`, 12)).toBe(line);
  const damaged = '{"line":3,"error":"not JSON","raw_head":"{"}';
  expect(lineInside(damaged, 3)).toBe(damaged);
});
