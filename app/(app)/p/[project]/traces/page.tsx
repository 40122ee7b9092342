import { NOTHING_ASKED } from "@/components/trace/asked";
import { TraceList } from "@/components/trace/trace-list";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface TracesPageProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const generateMetadata = localTitle("trace.title");

export default async function TracesPage({ params, searchParams }: TracesPageProps) {
  const { project } = await params;
  const given = await searchParams;
  const text = (key: string) => {
    const value = given[key];
    return typeof value === "string" ? value.slice(0, 200) : "";
  };
  const asked = { ...NOTHING_ASKED };
  for (const key of ["q", "tool", "model", "person", "status", "min_cost", "from", "to"] as const)
    asked[key] = text(key);
  const agent = text("agent") || undefined;
  // Beside a search the Agent is one of its conditions, else the one whose list is shown.
  const searching = Object.values(asked).some((value) => value !== "");
  const { role } = await openProject(places.traces(project, agent), project);
  return (
    <Words areas={["trace", "timeline", "traceSearch", "chat"]}>
      <TraceList
        project={project}
        initialAgent={agent}
        initialAsked={searching && agent ? { ...asked, agent } : asked}
        canImport={role !== "viewer"}
      />
    </Words>
  );
}
