import { notFound } from "next/navigation";
import { TraceView } from "@/components/trace/trace-view";
import type { Opening } from "@/components/trace/use-trace";
import { places } from "@/lib/api/places";
import { isSessionId } from "@/lib/trace/name";
import { runtime } from "@/server/runtime";
import { traceOpening } from "@/server/trace/opening";
import { Words } from "../../../../../../../words";
import { openAgent } from "../../../../../../open";
import { localTitle } from "../../../../../../title";

type Given = string | string[] | undefined;
interface TracePageProps {
  params: Promise<{ project: string; agent: string; session: string; index: string }>;
  searchParams: Promise<{ line?: Given; view?: Given; q?: Given }>;
}

export const generateMetadata = localTitle("trace.one");

export default async function TracePage({ params, searchParams }: TracePageProps) {
  const { index, ...ref } = await params;
  const { line, view, q } = await searchParams;
  const trace = { ...ref, index: positive(index) ?? 0 };
  const at = typeof line === "string" ? positive(line) : undefined;
  const { person } = await openAgent(places.trace(trace, at), ref);
  if (!isSessionId(ref.session) || trace.index === 0) notFound();
  const { traces, sessions } = await runtime();
  const text = typeof q === "string" ? q.slice(0, 200) : undefined;
  const reading = view === "timeline" || view === "events" ? view : undefined;
  const opening = traceOpening(traces, ref, person.id, {
    state: sessions.peek(ref)?.status ?? "idle",
    start: { index: trace.index, line: at, events: reading === "events" || Boolean(text) },
  });
  return (
    <Words areas={["trace", "timeline", "traceCompare", "chat"]}>
      <TraceView
        key={`${trace.agent}/${trace.session}`}
        trace={trace}
        line={at}
        view={reading}
        q={text}
        opening={await soon(opening)}
      />
    </Words>
  );
}

/** The page waits so long for its first records; then it comes first. Milliseconds. */
const WAIT_MS = 400;

async function soon(later: Promise<string | null>): Promise<Opening> {
  const text = await Promise.race([later, new Promise<undefined>((resolve) => setTimeout(resolve, WAIT_MS))]);
  return text === undefined ? { later } : { text };
}

/** A whole number from 1 on, written plainly; undefined for anything else. */
function positive(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
