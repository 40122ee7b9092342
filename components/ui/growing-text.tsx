import { memo } from "react";

/** Lines of a piece. */
const PIECE_LINES = 60;
/** A piece with a line that has no end is laid out in runs of so many characters. */
const RUN_CHARS = 4_000;

/** Plain text laid out in pieces, so that growing costs only the last one. Line breaks must count (`pre-wrap`). */
export function GrowingText({ text }: { text: string }) {
  const pieces = piecesOf(text);
  if (pieces.length === 1) return <Runs text={text} />;
  return pieces.map((piece, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    <Piece key={i} text={piece} />
  ));
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return (
    <span className="block">
      <Runs text={text} />
    </span>
  );
});

function Runs({ text }: { text: string }) {
  if (text.length <= RUN_CHARS) return text;
  return runsOf(text).map((run, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: characters never move
    <Run key={i} text={run} />
  ));
}

const Run = memo(function Run({ text }: { text: string }) {
  return <span>{text}</span>;
});

/** Every piece but the last ends before a line break, which the next block stands for. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines += 1;
    if (lines < PIECE_LINES) continue;
    pieces.push(text.slice(from, at) || "\n");
    from = at + 1;
    lines = 0;
  }
  return [...pieces, text.slice(from)];
}

/** Never within a pair that is one character. */
function runsOf(text: string): string[] {
  const runs: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + RUN_CHARS;
    const to = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
    runs.push(text.slice(from, to));
    from = to;
  }
  return runs;
}
