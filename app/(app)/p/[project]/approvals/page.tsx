import { InboxPage } from "@/components/chat/inbox-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface ApprovalsPageProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("inbox.title");

export default async function ApprovalsPage({ params }: ApprovalsPageProps) {
  const { project } = await params;
  const { person, role } = await openProject(places.approvals(project), project);
  return (
    <Words areas={["chat"]}>
      <InboxPage project={project} userId={person.id} canWork={role !== "viewer"} />
    </Words>
  );
}
