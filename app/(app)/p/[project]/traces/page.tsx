import { TraceList } from "@/components/trace/trace-list";
import { places } from "@/lib/api/places";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface TracesPageProps {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ agent?: string | string[] }>;
}

export const generateMetadata = localTitle("trace.title");

export default async function TracesPage({ params, searchParams }: TracesPageProps) {
  const { project } = await params;
  const { agent } = await searchParams;
  const { role } = await openProject(places.traces(project), project);
  return (
    <TraceList
      project={project}
      initialAgent={typeof agent === "string" ? agent : undefined}
      canImport={role !== "viewer"}
    />
  );
}
