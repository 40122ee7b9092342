/**
 * RS5, TR6: any legal sequence of records, cut at any byte or with any line damaged, resumes to a legal history or is
 * refused with the cause. Few runs here; `npm run properties` makes ten thousand.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { damage, damaged, runs, sessionFiles } from "./fixtures/arbitrary";
import { checkContinuation, checkResumes, fileOf } from "./fixtures/continuation";
import { sequence, traceText } from "./fixtures/sequence";

const utf8 = new TextEncoder();
const textsOf = (notations: string[]) => notations.map((notation) => traceText(sequence(notation)));
const olderOf = (texts: string[]) => texts.slice(0, -1).map((text, index) => fileOf(utf8.encode(text), index + 1));

it("cut at any byte: what was said after it is what is replayed later", () => {
  fc.assert(
    fc.property(sessionFiles, fc.nat(), (notations, at) => {
      const texts = textsOf(notations);
      const bytes = utf8.encode(texts.at(-1));
      checkContinuation(bytes.slice(0, at % (bytes.length + 1)), olderOf(texts));
    }),
    runs(100),
  );
});

it("any line damaged: a legal history, or the cause", () => {
  fc.assert(
    fc.property(sessionFiles, damage, (notations, how) => {
      const texts = textsOf(notations);
      checkResumes(damaged(texts.at(-1) ?? "", how), olderOf(texts));
    }),
    runs(150),
  );
});

it("any line of any file damaged, and the newest cut as well", () => {
  fc.assert(
    fc.property(sessionFiles, fc.array(damage, { minLength: 1, maxLength: 3 }), fc.nat(), (notations, hows, at) => {
      const texts = textsOf(notations);
      const files = texts.map((text, index) => {
        const how = hows[index];
        return how ? damaged(text, how) : utf8.encode(text);
      });
      const newest = files.at(-1) ?? new Uint8Array();
      const older = files.slice(0, -1).map((bytes, index) => fileOf(bytes, index + 1));
      checkResumes(newest.slice(0, at % (newest.length + 1)), older);
    }),
    runs(100),
  );
});

it("the damage is told: each line that does not parse is named with its reason", () => {
  fc.assert(
    fc.property(sessionFiles, damage, (notations, how) => {
      const bytes = damaged(textsOf(notations).at(-1) ?? "", how);
      const file = fileOf(bytes);
      const lines = Buffer.from(bytes).toString("latin1").split("\n").slice(0, -1);
      const blank = lines.filter((line) => line.trim() === "").length;
      expect(file.records.length + file.damaged.length + blank).toBe(lines.length);
      for (const { line, error } of file.damaged) {
        expect(error).not.toBe("");
        expect(line).toBeLessThanOrEqual(lines.length);
      }
    }),
    runs(50),
  );
});
