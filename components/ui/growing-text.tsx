import { memo } from "react";

/** Lines of a piece. */
const PIECE_LINES = 60;

/** Plain text laid out in pieces, so that growing costs only the last one. Line breaks must count (`pre-wrap`). */
export function GrowingText({ text }: { text: string }) {
  const pieces = piecesOf(text);
  if (pieces.length === 1) return text;
  return pieces.map((piece, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    <Piece key={i} text={piece} />
  ));
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <span className="block">{text}</span>;
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
