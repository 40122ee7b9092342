"use client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { PageHeader } from "@/components/ui/navigation";
import { Section, SectionPage } from "@/components/ui/section";
import { SkeletonLines } from "@/components/ui/skeleton";
import { queries } from "@/lib/api/queries";
import { LoadFailure } from "./load-failure";
import { PasswordCard } from "./password-card";
import { PreferencesCard } from "./preferences-card";
import { ProfileCard } from "./profile-card";
import { SignInsCard } from "./sign-ins-card";
import { TokensCard } from "./tokens-card";

/** One's own affairs: name, password, preferences, sign-ins, access tokens. `bare`: without the frame of a Project. */
export function AccountPage({ bare }: { bare?: boolean }) {
  const t = useT();
  const { data: me, error, isPending, refetch } = useQuery(queries.me());
  return (
    <>
      <PageHeader
        title={t("account.title")}
        actions={
          bare && (
            <Button asChild size="sm">
              <Link href="/">{t("account.back")}</Link>
            </Button>
          )
        }
      />
      <SectionPage>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {isPending && <SkeletonLines lines={5} label={t("common.loading")} />}
        {me && (
          <>
            <ProfileCard key={me.user.name} user={me.user} />
            <PreferencesCard />
            {me.user.has_password ? (
              <PasswordCard initial={me.user.password_is_initial} userId={me.user.id} />
            ) : (
              <Section title={t("account.password")}>
                <p className="px-4 py-3 text-sm text-dim">{t("account.no_password")}</p>
              </Section>
            )}
            <SignInsCard />
            <TokensCard projects={me.projects} />
          </>
        )}
      </SectionPage>
    </>
  );
}
