import { MembersPage } from "@/components/team/members-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface PeopleRouteProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("people.title");

export default async function PeopleRoute({ params }: PeopleRouteProps) {
  const { project } = await params;
  const { person, role } = await openProject(places.people(project), project);
  return (
    <Words areas={["team"]}>
      <MembersPage project={project} userId={person.id} canWrite={role === "owner"} admin={person.admin} />
    </Words>
  );
}
