import { expect, it } from "vitest";
import * as say from "@/lib/trace/fixtures/conversation";
import { grouped } from "./task-slots";

it("UI08 a block stays in its run when older ones come in front and newer ones behind", () => {
  const tasks = say.of(
    ...Array.from({ length: 130 }, (_, i) => [say.user(`q${i}`), say.begin(), say.end()].flat()),
  ).tasks;
  const runs = (from: number, to: number, origin: number) =>
    new Map(
      grouped(tasks.slice(from, to), origin - from).flatMap(({ number, tasks: run }) =>
        run.map((task): [string, number] => [task.id, number]),
      ),
    );
  const before = runs(70, 101, 100);
  const after = runs(0, 130, 100);
  for (const [id, number] of before) expect(after.get(id)).toBe(number);
  expect([...after.keys()]).toEqual(tasks.map(({ id }) => id));
});
