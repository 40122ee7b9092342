/** edit_file: replaces an exact piece of text in a file. */
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { openFile } from "../workspace/open";
import { replaceConfined } from "../workspace/replace";
import { describeFailure, describeMissing, shownPath } from "./missing-path";
import { textDiff } from "./text-diff";
import { defineTool } from "./tool";

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_HUNKS = 5;

type Text = { ok: true; text: string } | { ok: false; message: string };

async function readWhole(given: string, real: string): Promise<Text> {
  const file = await openFile(real);
  if (!file.ok) return { ok: false, message: describeFailure(given, file) };
  try {
    if (file.size > MAX_FILE_BYTES)
      return { ok: false, message: `"${given}" is larger than 16 MiB: edit it with a command.` };
    const bytes = await file.handle.readFile();
    if (bytes.includes(0)) return { ok: false, message: `"${given}" is a binary file and cannot be edited.` };
    if (!isUtf8(bytes)) return { ok: false, message: `"${given}" is not UTF-8 text: editing would damage it.` };
    return { ok: true, text: bytes.toString("utf8") };
  } finally {
    await file.handle.close();
  }
}

function countMatches(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length)) count++;
  return count;
}

function notFound(text: string, old: string): string {
  const other = old.includes("\r\n") ? old.replaceAll("\r\n", "\n") : old.replaceAll("\n", "\r\n");
  if (other !== old && text.includes(other)) {
    const used = old.includes("\r\n") ? "LF" : "CRLF";
    return `old_string was not found, but it is there with ${used} line endings: the file uses ${used}. Use the same line endings in old_string and new_string.`;
  }
  const trimmed = old.trim();
  if (trimmed !== "" && trimmed !== old && text.includes(trimmed)) {
    return "old_string was not found, but it is there with other whitespace at its ends. Read the file again and copy the text exactly.";
  }
  return "old_string was not found. Read the file again and copy the text exactly, without the line numbers.";
}

/** The changed hunks; the count alone when the change is too large to show. */
function diffOf(before: string, after: string): string {
  const diff = textDiff(before, after);
  if (!diff.hunks) return `\n(+${diff.added}/−${diff.removed} lines)`;
  const shown = diff.hunks.slice(0, MAX_HUNKS).flat();
  const rest = diff.hunks.length - MAX_HUNKS;
  return `\n${shown.join("\n")}${rest > 0 ? `\n[${rest} more hunks]` : ""}`;
}

export const editFile = defineTool({
  name: "edit_file",
  description:
    "Replaces old_string by new_string in a text file. old_string must occur exactly once, unless replace_all is true; give enough lines around it to make it unique.",
  permission: "rw",
  timeoutMs: 30_000,
  maxOutputLength: 16_000,
  params: {
    file_path: z.string().describe("Absolute, or relative to the Workspace."),
    old_string: z.string().describe("The exact text to replace, without line numbers."),
    new_string: z.string().describe("What stands there afterwards."),
    replace_all: z.boolean().default(false).describe("Replace every occurrence."),
  },
  async run({ file_path, old_string, new_string, replace_all }, run) {
    const fail = (message: string) => {
      run.out(message);
      return { failed: true };
    };
    if (old_string === "") return fail("old_string is empty. Use write_file to create a file.");
    if (old_string === new_string) return fail("old_string and new_string are equal: nothing to do.");
    const { confinement } = run.session;
    const resolved = await confinement.resolveInside(file_path, "write");
    if (!resolved.ok) return fail(resolved.message);
    if (!resolved.exists) return fail(await describeMissing(file_path, resolved.path));
    const before = await readWhole(file_path, resolved.path);
    if (!before.ok) return fail(before.message);
    const count = countMatches(before.text, old_string);
    if (count === 0) return fail(notFound(before.text, old_string));
    if (count > 1 && !replace_all) {
      return fail(`old_string occurs ${count} times. Add surrounding lines to make it unique, or set replace_all.`);
    }
    // A function, because "$&" and the like in a plain replacement string have a meaning.
    const after = replace_all
      ? before.text.replaceAll(old_string, () => new_string)
      : before.text.replace(old_string, () => new_string);
    if (run.signal.aborted) return {};
    const written = await replaceConfined(resolved.path, Buffer.from(after, "utf8"));
    if (!written.ok) return fail(describeFailure(file_path, written));
    const times = count === 1 ? "1 replacement" : `${count} replacements`;
    run.out(`Edited "${shownPath(resolved.path, confinement.workspace)}" (${times}).${diffOf(before.text, after)}`);
    return {};
  },
});
