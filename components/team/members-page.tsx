"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { PageHeader } from "@/components/ui/navigation";
import { Section, SectionPage } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import { queries } from "@/lib/api/queries";
import type { MemberView } from "@/lib/api/team";
import { AddMember } from "./add-member";
import { LoadFailure } from "./load-failure";
import { MemberRow } from "./member-row";
import { PeopleTabs } from "./people-tabs";
import { RemoveMember } from "./remove-member";

interface MembersPageProps {
  project: string;
  userId: string;
  /** Owners change who belongs to the Project; everybody reads it. */
  canWrite: boolean;
  /** Admins find everybody on the server beside it. */
  admin: boolean;
}

/** Who belongs to this Project, and as what. */
export function MembersPage({ project, userId, canWrite, admin }: MembersPageProps) {
  const t = useT();
  const client = useQueryClient();
  const { data: members, error, isPending, refetch } = useQuery(queries.members(project));
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<MemberView | null>(null);
  const changed = () => void client.invalidateQueries({ queryKey: queries.members(project).queryKey });
  const owners = members?.filter(({ role }) => role === "owner").length ?? 0;
  const add = canWrite && (
    <Button size="sm" variant="primary" onClick={() => setAdding(true)}>
      <UserPlus aria-hidden="true" />
      {t("people.add")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("people.title")} actions={add} />
      <SectionPage>
        {admin && <PeopleTabs project={project} here="members" />}
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {isPending && <SkeletonLines lines={4} label={t("common.loading")} />}
        {members && (
          <Section title={t("people.members")} lead={t("people.members_lead")}>
            <ul className="divide-y">
              {members.map((member) => (
                <MemberRow
                  key={member.user}
                  project={project}
                  member={member}
                  own={member.user === userId}
                  canWrite={canWrite}
                  lastOwner={member.role === "owner" && owners === 1}
                  onChanged={changed}
                  onRemove={() => setRemoving(member)}
                />
              ))}
            </ul>
          </Section>
        )}
        {members?.length === 1 && canWrite && <Banner>{t("people.alone")}</Banner>}
      </SectionPage>
      {adding && (
        <AddMember
          project={project}
          members={members?.map(({ user }) => user) ?? []}
          admin={admin}
          onAdded={changed}
          onClose={() => setAdding(false)}
        />
      )}
      {removing && (
        <RemoveMember
          project={project}
          member={removing}
          own={removing.user === userId}
          onRemoved={changed}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}
