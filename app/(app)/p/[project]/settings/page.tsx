import { ProjectSettingsPage } from "@/components/team/project-settings-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface SettingsRouteProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("settings.title");

export default async function SettingsRoute({ params }: SettingsRouteProps) {
  const { project } = await params;
  const { person } = await openProject(places.settings(project), project);
  return (
    <Words areas={["team", "account", "commands", "share"]}>
      <ProjectSettingsPage project={project} admin={person.admin} />
    </Words>
  );
}
