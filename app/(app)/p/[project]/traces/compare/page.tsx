import { CompareView } from "@/components/trace/compare-view";
import { places } from "@/lib/api/places";
import type { Side } from "@/lib/api/trace-compare";
import { isSessionId } from "@/lib/trace/name";
import { Words } from "../../../../../words";
import { openProject } from "../../../../open";
import { localTitle } from "../../../../title";

type Given = string | string[] | undefined;
interface ComparePageProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ left?: Given; right?: Given }>;
}

export const generateMetadata = localTitle("compare.title");

export default async function ComparePage({ params, searchParams }: ComparePageProps) {
  const { project } = await params;
  const { left, right } = await searchParams;
  const [first, second] = [sideOf(left), sideOf(right)];
  await openProject(
    first ? places.compareTraces(project, first, second ?? undefined) : places.traces(project),
    project,
  );
  return (
    <Words areas={["trace", "timeline", "traceCompare"]}>
      <CompareView project={project} left={first} right={second} />
    </Words>
  );
}

/** `<agent>/<session>`; null for anything else. */
function sideOf(given: Given): Side | null {
  const [agent = "", session = "", ...rest] = typeof given === "string" ? given.split("/") : [];
  return rest.length === 0 && /^[A-Za-z0-9_-]{1,128}$/.test(agent) && isSessionId(session) ? { agent, session } : null;
}
