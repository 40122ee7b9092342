import { notFound } from "next/navigation";
import { TraceView } from "@/components/trace/trace-view";
import { places } from "@/lib/api/places";
import { isSessionId } from "@/lib/trace/name";
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
  await openAgent(places.trace(trace, at), ref);
  if (!isSessionId(ref.session) || trace.index === 0) notFound();
  const reading = view === "timeline" || view === "events" ? view : undefined;
  return (
    <Words areas={["trace", "timeline", "traceCompare", "chat"]}>
      <TraceView
        key={`${trace.agent}/${trace.session}`}
        trace={trace}
        line={at}
        view={reading}
        q={typeof q === "string" ? q.slice(0, 200) : undefined}
      />
    </Words>
  );
}

/** A whole number from 1 on, written plainly; undefined for anything else. */
function positive(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
