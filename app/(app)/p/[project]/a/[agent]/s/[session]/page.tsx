import { notFound } from "next/navigation";
import { Conversation } from "@/components/chat/conversation";
import { places } from "@/lib/api/places";
import { isSessionId } from "@/lib/trace/name";
import { runtime } from "@/server/runtime";
import { openingOf } from "@/server/session/opening";
import { Words } from "../../../../../../../words";
import { openAgent } from "../../../../../../open";
import { localTitle } from "../../../../../../title";

interface ConversationPageProps {
  params: Promise<{ project: string; agent: string; session: string }>;
}

export const generateMetadata = localTitle("nav.conversation");

export default async function ConversationPage({ params }: ConversationPageProps) {
  const ref = await params;
  const { person, role } = await openAgent(places.conversation(ref), ref);
  if (!isSessionId(ref.session)) notFound();
  return (
    <Words areas={["chat", "composer", "panels", "sessionUsage", "share"]}>
      <Conversation
        key={`${ref.agent}/${ref.session}`}
        sessionRef={ref}
        userId={person.id}
        role={role}
        // Not waited for: the page comes first.
        opening={openingOf((await runtime()).sessions, ref, person)}
      />
    </Words>
  );
}
