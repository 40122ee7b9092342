import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { places } from "@/lib/api/places";
import { openProject, startAgent } from "../../open";

interface ProjectPageProps {
  params: Promise<{ project: string }>;
}

/** A Project opens with a new conversation with the Agent used last. */
export default async function ProjectPage({ params }: ProjectPageProps) {
  const { project } = await params;
  await openProject(places.project(project), project);
  const last = (await cookies()).get("penguin_last")?.value;
  const agent = await startAgent(project, decoded(last));
  if (!agent) notFound();
  redirect(places.newConversation(project, agent));
}

/** undefined for what is no text: the choice used last is a comfort, not a condition. */
function decoded(last: string | undefined): string | undefined {
  try {
    return last && decodeURIComponent(last);
  } catch {
    return undefined;
  }
}
