"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useT } from "@/components/ui/language";
import { send } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import { CreateNamed } from "./create-named";

/** Another Agent of this Project; its first conversation is offered at once. */
export function CreateAgent({ project, onClose }: { project: string; onClose: () => void }) {
  const t = useT();
  const router = useRouter();
  const client = useQueryClient();
  return (
    <CreateNamed
      title={t("nav.new_agent")}
      lead={t("agent.create_lead")}
      action={t("agent.create")}
      create={async (named) => {
        const made = await send("POST", routes.agents(project), named);
        if (made.ok) await client.invalidateQueries({ queryKey: queries.agents(project).queryKey });
        return made;
      }}
      onMade={(id) => router.push(places.newConversation(project, id))}
      onClose={onClose}
    />
  );
}
