"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useT } from "@/components/ui/language";
import { send } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import { CreateNamed } from "./create-named";

export function CreateProject({ onClose }: { onClose: () => void }) {
  const t = useT();
  const router = useRouter();
  const client = useQueryClient();
  return (
    <CreateNamed
      title={t("project.create_title")}
      lead={t("project.create_lead")}
      action={t("project.create")}
      create={async (named) => {
        const made = await send("POST", routes.projects(), named);
        if (made.ok) await client.invalidateQueries({ queryKey: queries.me().queryKey });
        return made;
      }}
      onMade={(id) => {
        void client.invalidateQueries({ queryKey: queries.projects().queryKey });
        router.push(places.project(id));
      }}
      onClose={onClose}
    />
  );
}
