import { ModelsPage } from "@/components/models/models-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface ModelsRouteProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("models.title");

export default async function ModelsRoute({ params }: ModelsRouteProps) {
  const { project } = await params;
  const { person, role } = await openProject(places.models(project), project);
  return (
    <Words areas={["models"]}>
      <ModelsPage project={project} canWrite={role === "owner"} admin={person.admin} />
    </Words>
  );
}
