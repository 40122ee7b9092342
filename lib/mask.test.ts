import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamMask } from "./mask";

const SECRETS = ["vault-value-12345", "ababababab", "abababababac", "tiny"];
const shownOf = (chunks: string[]) => {
  const mask = new StreamMask(SECRETS);
  return chunks.map((chunk) => mask.push(chunk)).join("") + mask.flush();
};
const cutUp = (text: string, cuts: number[]) => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
};

describe("StreamMask", () => {
  it("AC3: no value survives, however the text is cut", () => {
    const piece = fc.oneof(
      fc.constantFrom(...SECRETS.slice(0, 3), "vault-value-", "abab"),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 8 }), (pieces, cuts) => {
        const shown = shownOf(cutUp(pieces.join(""), cuts));
        for (const secret of SECRETS.slice(0, 2)) expect(shown).not.toContain(secret);
        // Nor is one told that the end of the text cuts off.
        for (const secret of SECRETS.slice(0, 3)) expect(shown.endsWith(secret.slice(0, 9))).toBe(false);
      }),
    );
  });

  it("text without a value passes unchanged and undelayed", () => {
    const mask = new StreamMask(SECRETS);
    expect(mask.push("plain text ")).toBe("plain text ");
    expect(mask.push("tiny")).toBe("tiny");
    expect(mask.push("a vault-")).toBe("a ");
    expect(mask.push("door")).toBe("vault-door");
    expect(mask.flush()).toBe("");
    expect(mask.push("a vault")).toBe("a ");
    expect(mask.flush()).toBe("vault");
  });

  it("AC3: a text that ends inside of a value does not show what came of it", () => {
    const mask = new StreamMask(SECRETS);
    expect(mask.push("it is vault-value-1234") + mask.flush()).toBe("it is ***");
  });
});
