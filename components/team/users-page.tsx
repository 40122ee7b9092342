"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { PageHeader } from "@/components/ui/navigation";
import { Section, SectionPage } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import { queries } from "@/lib/api/queries";
import type { Invitation, UserView } from "@/lib/api/team";
import { CreateUser } from "./create-user";
import { DeleteUser } from "./delete-user";
import { DisableUser } from "./disable-user";
import { InvitationDialog } from "./invitation-dialog";
import { LoadFailure } from "./load-failure";
import { OtherProjects } from "./other-projects";
import { PeopleTabs } from "./people-tabs";
import { ResetUser } from "./reset-user";
import { UserRow } from "./user-row";

type Open =
  | { kind: "create" }
  | { kind: "invited"; user: UserView; invitation: Invitation; problem?: string }
  | { kind: "reset" | "disable" | "delete"; user: UserView };

/** Everybody who can sign in here; for admins. */
export function UsersPage({ project, userId }: { project: string; userId: string }) {
  const t = useT();
  const client = useQueryClient();
  const { data: users, error, isPending, refetch } = useQuery(queries.users());
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const changed = () => void client.invalidateQueries({ queryKey: queries.users().queryKey });
  const invited = (user: UserView, invitation: Invitation, problem?: string) => {
    changed();
    setOpen({ kind: "invited", user, invitation, ...(problem ? { problem } : {}) });
  };
  return (
    <>
      <PageHeader
        title={t("people.title")}
        actions={
          <Button size="sm" variant="primary" onClick={() => setOpen({ kind: "create" })}>
            <UserPlus aria-hidden="true" />
            {t("users.create")}
          </Button>
        }
      />
      <SectionPage>
        <PeopleTabs project={project} here="everybody" />
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {isPending && <SkeletonLines lines={4} label={t("common.loading")} />}
        {users && (
          <Section title={t("users.title")} lead={t("users.lead")}>
            <ul className="divide-y">
              {users.map((user) => (
                <UserRow
                  key={user.id}
                  user={user}
                  own={user.id === userId}
                  onChanged={changed}
                  onAsk={(kind) => setOpen({ kind, user })}
                />
              ))}
            </ul>
          </Section>
        )}
        <OtherProjects userId={userId} />
      </SectionPage>
      {open?.kind === "create" && <CreateUser onMade={invited} onClose={close} />}
      {open?.kind === "invited" && <InvitationDialog {...open} onClose={close} />}
      {open?.kind === "reset" && <ResetUser user={open.user} onReset={invited} onClose={close} />}
      {open?.kind === "disable" && <DisableUser user={open.user} onDisabled={changed} onClose={close} />}
      {open?.kind === "delete" && <DeleteUser user={open.user} onDeleted={changed} onClose={close} />}
    </>
  );
}
