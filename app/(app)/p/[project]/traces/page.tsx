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
  const { agent: given } = await searchParams;
  const agent = typeof given === "string" ? given : undefined;
  const { role } = await openProject(places.traces(project, agent), project);
  return <TraceList project={project} initialAgent={agent} canImport={role !== "viewer"} />;
}
