import { notFound } from "next/navigation";
import { UsersPage } from "@/components/team/users-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../../words";
import { openProject } from "../../../../open";
import { localTitle } from "../../../../title";

interface EverybodyRouteProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("users.title");

export default async function EverybodyRoute({ params }: EverybodyRouteProps) {
  const { project } = await params;
  const { person } = await openProject(places.everybody(project), project);
  if (!person.admin) notFound();
  return (
    <Words areas={["team", "account"]}>
      <UsersPage project={project} userId={person.id} />
    </Words>
  );
}
