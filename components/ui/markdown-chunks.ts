/** A growing Markdown text cut into parts that are finished, so that only the last one is parsed again. */

/** A part is closed only after this many characters: short answers stay whole. */
const CHUNK_CHARS = 3_000;

/**
 * Cuts after a blank line, outside of fences, and only where the next line begins a heading or an ordinary paragraph, so
 * that lists, tables and quotes stay together. Texts with link or note definitions are not cut: they reach anywhere.
 * The same text with more behind it gives the same finished parts.
 */
export function markdownChunks(text: string): string[] {
  if (text.length <= CHUNK_CHARS || /^ {0,3}\[[^\]\n]+\]:/m.test(text)) return [text];
  const chunks: string[] = [];
  let from = 0;
  let fence: string | null = null;
  let blank = false;
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    // A line that still grows may become anything.
    const finished = newline >= 0;
    if (fence === null && blank && finished && at - from >= CHUNK_CHARS && opensBlock(line)) {
      chunks.push(text.slice(from, at));
      from = at;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark) fence = fence === null ? mark : closes(fence, line, mark) ? null : fence;
    blank = line.trim() === "";
    at = end + 1;
  }
  chunks.push(text.slice(from));
  return chunks;
}

function opensBlock(line: string): boolean {
  return /^(#{1,6} |[\p{L}*_`"'(])/u.test(line) && !/^([*_] |[*_-]{3,}\s*$|[a-zA-Z0-9]{1,9}[.)] |`{3,})/.test(line);
}

function closes(fence: string, line: string, mark: string): boolean {
  return mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark;
}
