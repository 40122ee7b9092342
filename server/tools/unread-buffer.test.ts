import fc from "fast-check";
import { expect, it } from "vitest";
import { UnreadBuffer } from "./unread-buffer";

it("keeps the newest part whatever the chunks, counts what it dropped, and never leaves half a pair", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom("a", "😀", "─"), maxLength: 30 })),
      fc.integer({ min: 2, max: 50 }),
      (chunks, max) => {
        const buffer = new UnreadBuffer(max);
        for (const chunk of chunks) buffer.push(chunk);
        const all = chunks.join("");
        const text = buffer.take();
        const notice = /^\[\.\.\. (\d+) chars of earlier output dropped \.\.\.\]\n/.exec(text);
        const kept = notice ? text.slice(notice[0].length) : text;
        expect(all.endsWith(kept)).toBe(true);
        expect(kept.length).toBeLessThanOrEqual(max);
        expect(kept.length + Number(notice?.[1] ?? 0)).toBe(all.length);
        expect(Math.min(all.length, max) - kept.length).toBeLessThanOrEqual(1);
        expect(kept).not.toMatch(/^[\udc00-\udfff]/);
        expect(buffer.take()).toBe("");
      },
    ),
  );
});
