import { describe, expect, it } from "vitest";
import { Merge } from "./merge";

async function* numbers(name: string, count: number): AsyncGenerator<string> {
  for (let i = 0; i < count; i += 1) yield `${name}${i}`;
}

describe("Merge", () => {
  it("is fair: a producer that always has something does not starve the others", async () => {
    const merge = new Merge<string>();
    merge.add(numbers("fast", 1_000));
    merge.add(numbers("slow", 3));
    const seen: string[] = [];
    for await (const value of merge.stream()) seen.push(value);
    expect(seen).toHaveLength(1_003);
    expect(seen.indexOf("slow2")).toBeLessThan(20);
  });

  it("closes every producer when the consumer leaves early", async () => {
    const merge = new Merge<number>();
    const closed: string[] = [];
    async function* endless(name: string): AsyncGenerator<number> {
      try {
        for (let i = 0; ; i += 1) yield i;
      } finally {
        closed.push(name);
      }
    }
    merge.add(endless("a"));
    merge.add(endless("b"));
    for await (const value of merge.stream()) if (value === 2) break;
    await new Promise(setImmediate);
    expect(closed.sort()).toEqual(["a", "b"]);
  });

  it("P4: asks a producer for more only after its last value was handled", async () => {
    const merge = new Merge<string>();
    const log: string[] = [];
    merge.add(
      (async function* () {
        yield "call";
        log.push("resumed");
      })(),
    );
    merge.add(numbers("other", 5));
    for await (const value of merge.stream()) {
      if (value === "call") {
        await new Promise((resolve) => setTimeout(resolve, 1));
        log.push("written");
      }
    }
    expect(log).toEqual(["written", "resumed"]);
  });

  it("takes producers that join while it runs, and ends with the error of one that throws", async () => {
    const merge = new Merge<string>();
    merge.add(
      (async function* () {
        yield "one";
        merge.add(numbers("late", 1));
        yield "two";
        throw new Error("broken");
      })(),
    );
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const value of merge.stream()) seen.push(value);
      })(),
    ).rejects.toThrow("broken");
    expect(seen).toContain("late0");
  });

  it("EN7: abandon ends the stream although a producer never settles", async () => {
    const merge = new Merge<string>();
    merge.add(
      (async function* (): AsyncGenerator<string> {
        await new Promise(() => {});
      })(),
    );
    merge.add(numbers("a", 2));
    const seen: string[] = [];
    for await (const value of merge.stream()) {
      seen.push(value);
      if (value === "a1") merge.abandon();
    }
    expect(seen).toEqual(["a0", "a1"]);
  });
});
