"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { PageHeader } from "@/components/ui/navigation";
import { SectionPage } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { SkeletonLines } from "@/components/ui/skeleton";
import { EmptyState } from "@/components/ui/states";
import { AUDIT_KINDS } from "@/lib/api/audit";
import { queries } from "@/lib/api/queries";
import { AuditTable } from "./audit-table";
import { LoadFailure } from "./load-failure";

/** What happened in the Project, newest first. The address keeps the filters. */
export function AuditPage({ project }: { project: string }) {
  const t = useT();
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const kind = AUDIT_KINDS.find((known) => known === search.get("kind"));
  const by = search.get("by") ?? undefined;
  const log = useInfiniteQuery(queries.audit(project, { kind, by }));
  const { data: members = [] } = useQuery(queries.members(project));
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  // Whoever did something may be no member any more.
  const people = [
    ...new Set([...members.map(({ user }) => user), ...entries.map((entry) => entry.by), ...(by ? [by] : [])]),
  ];
  const filter = (name: "kind" | "by", value: string) => {
    const next = new URLSearchParams(search);
    if (value === "-") next.delete(name);
    else next.set(name, value);
    router.replace(next.size > 0 ? `${pathname}?${next}` : pathname, { scroll: false });
  };
  const filtered = kind !== undefined || by !== undefined;
  return (
    <>
      <PageHeader title={t("audit.title")} />
      <SectionPage>
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <p className="max-w-[60ch] min-w-0 flex-1 basis-72 text-sm text-dim">{t("audit.lead")}</p>
          <div className="flex flex-wrap gap-2">
            <Select
              look="chip"
              label={t("audit.kind")}
              value={kind ?? "-"}
              onChange={(value) => filter("kind", value)}
              options={[
                { value: "-", label: t("audit.all_kinds") },
                ...AUDIT_KINDS.map((value) => ({ value, label: t(`audit.kind.${value}`) })),
              ]}
            />
            <Select
              look="chip"
              label={t("audit.by")}
              value={by ?? "-"}
              onChange={(value) => filter("by", value)}
              options={[
                { value: "-", label: t("audit.anybody") },
                ...people.sort().map((value) => ({ value, label: value })),
              ]}
            />
          </div>
        </div>
        {log.error && <LoadFailure error={log.error} onRetry={() => void log.refetch()} />}
        {log.isPending && <SkeletonLines lines={6} label={t("common.loading")} />}
        {entries.length > 0 && <AuditTable entries={entries} />}
        {log.data && entries.length === 0 && !log.hasNextPage && (
          <EmptyState
            icon={<ScrollText aria-hidden="true" />}
            title={t(filtered ? "audit.none_filtered" : "audit.none")}
            action={filtered && <Button onClick={() => router.replace(pathname)}>{t("audit.clear")}</Button>}
          />
        )}
        {log.hasNextPage && (
          <Button className="self-center" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t("audit.older")}
          </Button>
        )}
      </SectionPage>
    </>
  );
}
