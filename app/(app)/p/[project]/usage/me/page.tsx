import { OwnUsagePage } from "@/components/usage/own-usage-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../../words";
import { openProject } from "../../../../open";
import { localTitle } from "../../../../title";

interface OwnUsageRouteProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("usage.own");

export default async function OwnUsageRoute({ params }: OwnUsageRouteProps) {
  const { project } = await params;
  const { person } = await openProject(places.ownUsage(project), project);
  return (
    <Words areas={["usage", "sessionUsage", "composer"]}>
      <OwnUsagePage project={project} userId={person.id} />
    </Words>
  );
}
