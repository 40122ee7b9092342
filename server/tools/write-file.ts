/** write_file: creates or overwrites a text file. */
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { openFile } from "../workspace/open";
import { replaceConfined } from "../workspace/replace";
import { describeFailure, shownPath } from "./missing-path";
import { textDiff } from "./text-diff";
import { defineTool } from "./tool";

/** A larger previous version is not read for the diff. */
const MAX_PREVIOUS_BYTES = 1024 * 1024;
const MAX_DIFF_LINES = 60;

/** The previous content, null when there is none to compare with (missing, large, not text). */
async function previousText(real: string): Promise<string | null> {
  const file = await openFile(real);
  if (!file.ok) return null;
  try {
    if (file.size > MAX_PREVIOUS_BYTES) return null;
    const bytes = await file.handle.readFile();
    return bytes.includes(0) || !isUtf8(bytes) ? null : bytes.toString("utf8");
  } finally {
    await file.handle.close();
  }
}

function lineCount(content: string): number {
  if (content === "") return 0;
  return content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}

/** What changed: the diff when it is short, else its size. */
function changeOf(before: string | null, after: string): string {
  if (before === null) return "";
  if (before === after) return "\n(the content is the same as before)";
  const diff = textDiff(before, after);
  const lines = diff.hunks?.flat();
  return lines && lines.length <= MAX_DIFF_LINES
    ? `\n${lines.join("\n")}`
    : `\n(+${diff.added}/−${diff.removed} lines)`;
}

export const writeFile = defineTool({
  name: "write_file",
  description:
    "Writes a text file as a whole; missing folders are made, an existing file is overwritten. Use edit_file for small changes.",
  permission: "rw",
  timeoutMs: 30_000,
  maxOutputLength: 16_000,
  params: {
    file_path: z.string().describe("Absolute, or relative to the Workspace."),
    content: z.string().describe("The whole content; may be empty."),
  },
  async run({ file_path, content }, run) {
    const fail = (message: string) => {
      run.out(message);
      return { failed: true };
    };
    const { confinement } = run.session;
    const resolved = await confinement.resolveInside(file_path, "write");
    if (!resolved.ok) return fail(resolved.message);
    const before = resolved.exists ? await previousText(resolved.path) : null;
    if (run.signal.aborted) return {};
    const bytes = Buffer.from(content, "utf8");
    const written = await replaceConfined(resolved.path, bytes);
    if (!written.ok) return fail(describeFailure(file_path, written));
    const lines = lineCount(content);
    const size = `${lines} ${lines === 1 ? "line" : "lines"}, ${bytes.length} bytes`;
    const name = shownPath(resolved.path, confinement.workspace);
    run.out(`${written.created ? "Created" : "Overwrote"} "${name}" (${size}).${changeOf(before, content)}`);
    return {};
  },
});
