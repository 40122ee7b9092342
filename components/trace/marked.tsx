import type { TraceHit } from "@/lib/api/trace-search";

const oneLine = (text: string) => text.replace(/\s+/g, " ");

/** Where a search found its text: the text around it, with the match marked. */
export function Marked({ snippet: { before, match, after } }: Pick<TraceHit, "snippet">) {
  return (
    <>
      {before !== "" && oneLine(`…${before.slice(-40)}`)}
      {match !== "" && <mark className="rounded-[2px] bg-attention-line/70 text-ink">{oneLine(match)}</mark>}
      {oneLine(after)}
    </>
  );
}
