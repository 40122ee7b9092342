import { notFound } from "next/navigation";
import { AuditPage } from "@/components/team/audit-page";
import { places } from "@/lib/api/places";
import { Words } from "../../../../words";
import { openProject } from "../../../open";
import { localTitle } from "../../../title";

interface AuditRouteProps {
  params: Promise<{ project: string }>;
}

export const generateMetadata = localTitle("audit.title");

export default async function AuditRoute({ params }: AuditRouteProps) {
  const { project } = await params;
  const { role } = await openProject(places.audit(project), project);
  if (role !== "owner") notFound();
  return (
    <Words areas={["team", "account"]}>
      <AuditPage project={project} />
    </Words>
  );
}
