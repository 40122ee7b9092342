/** What one person pinned and has seen in a Project, kept in that person's file. */
import { z } from "zod";
import type { Marks, PatchMarksBody } from "../../lib/api/schemas";
import type { Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

const MAX_PINS = 100;
/** Older entries give way: their Sessions are then judged by `read_before` alone. */
const MAX_SEEN = 500;

const marksOfProject = z.object({
  pins: z.array(z.string()).catch([]),
  seen: z.record(z.string(), z.string()).catch({}),
  read_before: z.string().optional().catch(undefined),
});
const withMarks = z.looseObject({
  marks: z.record(z.string(), marksOfProject.catch({ pins: [], seen: {} })).catch({}),
});

/** The change as a function: pins newest first, entries of `seen` never go back in time by themselves. */
export function changeMarks(now: Marks, body: PatchMarksBody): Marks {
  const without = now.pins.filter((key) => key !== body.pin && key !== body.unpin);
  const pins = (body.pin ? [body.pin, ...without] : without).slice(0, MAX_PINS);
  const read_before = body.read_before ?? now.read_before;
  const seen = { ...now.seen };
  for (const [key, at] of Object.entries(body.seen ?? {})) if (at > (seen[key] ?? "")) seen[key] = at;
  if (body.unread) seen[body.unread] = "";
  const kept = Object.entries(seen)
    .filter(([, at]) => !body.read_before || at > body.read_before)
    .sort(([, a], [, b]) => (a === "" ? -1 : b === "" ? 1 : b.localeCompare(a)))
    .slice(0, MAX_SEEN);
  return { pins, seen: Object.fromEntries(kept), ...(read_before ? { read_before } : {}) };
}

export class MarksOfPeople {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {}

  async of(user: string, project: string): Promise<Marks> {
    return marksIn(await this.files.read(this.layout.user(user)), project);
  }

  async change(user: string, project: string, body: PatchMarksBody): Promise<Marks> {
    return this.files.update(this.layout.user(user), (table) => {
      const before = withMarks.parse(table).marks;
      const marks = changeMarks(marksIn(table, project), body);
      // A file that is not there is no person: nothing is made for them.
      if (Object.keys(table).length === 0) return { result: marks };
      return { table: { ...table, marks: { ...before, [project]: marks } }, result: marks };
    });
  }
}

function marksIn(table: unknown, project: string): Marks {
  const found = withMarks.parse(table ?? {}).marks[project];
  const { pins = [], seen = {}, read_before } = found ?? {};
  return { pins, seen, ...(read_before ? { read_before } : {}) };
}
