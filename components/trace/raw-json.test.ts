import fc from "fast-check";
import { expect, it } from "vitest";
import { pretty } from "./raw-json";

it("pretty adds white space only: the value and every spelling stay", () => {
  const odd = '{"a":1.0,"b":[1e5,-0,{}],"c":"x,{\\"y\\":[1]}","d":[],"e":{"f":null}}';
  expect(pretty(odd).replace(/\n\s*/g, "").replaceAll('": ', '":')).toBe(odd);
  expect(pretty(odd)).toContain('"a": 1.0');
});

it("pretty gives the same value for any JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(JSON.parse(pretty(json))).toEqual(JSON.parse(json));
    }),
  );
});
