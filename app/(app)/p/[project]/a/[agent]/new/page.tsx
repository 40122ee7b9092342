import { places } from "@/lib/api/places";
import { runtime } from "@/server/runtime";
import { Words } from "../../../../../../words";
import { openAgent } from "../../../../../open";
import { localTitle } from "../../../../../title";
import { NewConversation } from "./new-conversation";

interface NewConversationPageProps {
  params: Promise<{ project: string; agent: string }>;
}

export const generateMetadata = localTitle("nav.new_conversation");

export default async function NewConversationPage({ params }: NewConversationPageProps) {
  const ref = await params;
  const { person, role } = await openAgent(places.newConversation(ref.project, ref.agent), ref);
  const { isolation } = await runtime();
  return (
    <Words areas={["chat", "composer"]}>
      <NewConversation {...ref} userId={person.id} canWork={role !== "viewer"} isolated={isolation.peek()} />
    </Words>
  );
}
