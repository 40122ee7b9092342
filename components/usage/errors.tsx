"use client";
import { CircleCheck } from "lucide-react";
import { useParams } from "next/navigation";
import { Badge } from "@/components/ui/badge";
import { useLanguage, useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import type { UsageErrorGroup, UsageView } from "@/lib/api/usage";
import { REQUEST_STATUSES } from "@/lib/api/usage-values";
import { FigureLink } from "./figure-link";
import { timeIn } from "./labels";
import { recordPlace } from "./record-place";

/** Why Requests failed, most frequent first, each with the way to its newest record. */
export function Errors({ view }: { view: UsageView }) {
  const t = useT();
  const { total, groups } = view.errors;
  return (
    <section aria-labelledby="usage-errors" className="flex flex-col gap-3">
      <h2 id="usage-errors" className="flex items-baseline gap-2 text-base font-semibold">
        {t("usage.errors")}
        {total > 0 && (
          <FigureLink
            rows={{ errors: "1" }}
            label={t("usage.open_rows", { count: total, name: t("usage.errors") })}
            className="tabular text-sm font-normal text-danger"
          >
            {t("usage.failed_of", { count: total })}
          </FigureLink>
        )}
      </h2>
      {total === 0 ? (
        <p className="flex items-center gap-2 rounded-lg border bg-surface px-4 py-3 text-sm text-dim">
          <CircleCheck className="size-4 text-good" aria-hidden="true" />
          {t("usage.no_errors")}
        </p>
      ) : (
        <ul className="rounded-lg border bg-surface">
          {groups.map((group) => (
            <ErrorRow key={`${group.status} ${group.message}`} group={group} tz={view.range.tz} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ErrorRow({ group: { status, message, count, last }, tz }: { group: UsageErrorGroup; tz: string }) {
  const t = useT();
  const [language] = useLanguage();
  const { project = "" } = useParams<{ project?: string }>();
  const known = REQUEST_STATUSES.find((one) => one === status);
  const place = recordPlace(project, last);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 last:border-b-0">
      <Badge tone="danger">{known ? t(`usage.status_${known}`) : status}</Badge>
      <span className="min-w-40 flex-1 text-sm">{message ?? t("usage.no_reason")}</span>
      <FigureLink
        rows={{ errors: "1", status, message: message ?? "" }}
        label={t("usage.open_rows", { count, name: message ?? status })}
        className="tabular text-sm text-dim"
      >
        {t("usage.times", { count })}
      </FigureLink>
      {place && (
        <Link href={place} className="text-sm text-accent-ink underline-offset-4 hover:underline">
          {t("usage.newest", { time: timeIn(last.at, tz, language) })}
        </Link>
      )}
    </li>
  );
}
