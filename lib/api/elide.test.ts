import fc from "fast-check";
import { expect, it } from "vitest";
import { ELIDE_ABOVE_BYTES, elide } from "./elide";

it("P2: a long string tells its bytes of UTF-8, whatever is in it, and its first 1,024 characters", () => {
  const piece = fc.constantFrom("a", "é", "世", "😀", "\ud83d", "\ude00");
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.nat({ max: 20_000 }), (pieces, more) => {
      const unit = pieces.join("");
      const text = unit.repeat(Math.ceil((ELIDE_ABOVE_BYTES + more) / unit.length));
      const bytes = Buffer.byteLength(text);
      const expected = bytes > ELIDE_ABOVE_BYTES ? { $elided: { bytes, head: text.slice(0, 1024) } } : text;
      expect(elide({ text })).toEqual({ text: expected });
    }),
    { numRuns: 60 },
  );
});
