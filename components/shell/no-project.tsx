"use client";
import { FolderOpen, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { EmptyState } from "@/components/ui/states";
import { places } from "@/lib/api/places";
import { CreateProject } from "./create-project";
import { leave } from "./user-menu";

/** What a person sees who is a member of no Project yet. */
export function NoProject() {
  const t = useT();
  const [creating, setCreating] = useState(false);
  return (
    <main className="flex min-h-[70dvh] flex-1 flex-col justify-center">
      <h1 className="sr-only">{t("nav.no_project")}</h1>
      <EmptyState
        icon={<FolderOpen aria-hidden="true" />}
        title={t("nav.no_project")}
        action={
          <>
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden="true" />
              {t("nav.new_project")}
            </Button>
            <Button asChild>
              <Link href={places.bareAccount()}>{t("account.title")}</Link>
            </Button>
            <Button onClick={() => leave(t("user.sign_out_failed"))}>{t("user.sign_out")}</Button>
          </>
        }
      >
        {t("nav.no_project_body")}
      </EmptyState>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
    </main>
  );
}
