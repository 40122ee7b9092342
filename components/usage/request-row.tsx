"use client";
import { CircleAlert, CircleCheck, CircleDashed, CircleStop, ScrollText } from "lucide-react";
import { CertaintyIcon } from "@/components/cost/cost-figure";
import { requestCostWords } from "@/components/cost/cost-words";
import { cn } from "@/components/ui/cn";
import { useLanguage, useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import type { UsageRequestRow, UsageView } from "@/lib/api/usage";
import { duration, money, shortCount } from "@/lib/format";
import { personName, userName } from "./breakdown-rows";
import { timeIn } from "./labels";
import { exactMoney, METRICS } from "./metrics";
import { recordPlace } from "./record-place";

interface RequestRowProps {
  project: string;
  request: UsageRequestRow;
  view: Pick<UsageView, "options">;
  tz: string;
}

/** One Request: when, what for, how it ended, tokens, cost and how sure it is, time; a link to its record. */
export function RequestRow({ project, request, view, tz }: RequestRowProps) {
  const t = useT();
  const [language] = useLanguage();
  const { place, tokens, status, error_message, attempt } = request;
  const href = recordPlace(project, request);
  const words = requestCostWords(t, request);
  const title = place ? (place.title ?? t("nav.untitled")) : t("usage.private_session");
  const model = view.options.models.find(({ key }) => key === request.model)?.label ?? request.model;
  const agent = view.options.agents.find(({ key }) => key === request.agent)?.label ?? request.agent;
  const person = view.options.users.find(({ key }) => key === request.user);
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-b px-4 py-2 text-sm last:border-b-0 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_9rem_8rem_5rem]">
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <StatusIcon status={status} />
          {href ? (
            <Link
              href={href}
              title={t("usage.open_record")}
              className="inline-flex min-w-0 items-center gap-1.5 text-ink underline-offset-4 hover:underline"
            >
              <span className="truncate">{title}</span>
              <ScrollText className="size-3.5 shrink-0 text-faint" aria-label={t("usage.open_record")} />
            </Link>
          ) : (
            <span className="truncate text-dim">{title}</span>
          )}
        </p>
        <p className="truncate pl-6 text-xs text-dim">
          <time dateTime={request.at}>{timeIn(request.at, tz, language)}</time>
          {" · "}
          {model} · {agent} · {person ? userName(t, person) : personName(t, request.user_name, false)}
        </p>
        {(status !== "completed" ||
          attempt > 1 ||
          request.kind === "aux" ||
          request.compaction ||
          request.imported) && (
          <p className={cn("pl-6 text-xs", isFailed(status) ? "text-danger" : "text-faint")}>
            {notes(t, request).join(" · ")}
            {error_message && `: ${error_message}`}
          </p>
        )}
      </div>
      <p className="tabular text-right text-xs text-dim max-sm:order-3 max-sm:col-span-2 max-sm:pl-6 max-sm:text-left">
        {tokens ? (
          <span title={METRICS.tokens.exact(tokens.total)}>
            {request.certainty === "estimated" && "≈ "}
            {t("usage.tokens_of", { count: shortCount(tokens.total) })}
            <span className="block text-faint max-sm:ml-2 max-sm:inline">
              {t("usage.kinds", {
                read: shortCount(tokens.cache_read),
                write: shortCount(tokens.cache_write),
                output: shortCount(tokens.output),
              })}
            </span>
          </span>
        ) : (
          t("usage.tokens_unknown")
        )}
      </p>
      <p className="tabular text-right" title={priceTitle(t, request)}>
        {words.main}
        {words.notes.map(({ certainty, text }) => (
          <span key={certainty} className="flex items-center justify-end gap-1 text-xs text-dim">
            <CertaintyIcon certainty={certainty} />
            {text}
          </span>
        ))}
      </p>
      <p className="tabular text-right text-xs text-dim max-sm:hidden">
        {request.duration_ms === null ? "–" : duration(Math.max(0, request.duration_ms - request.waited_ms))}
        {request.tokens_per_second !== null && (
          <span className="block text-faint">
            {t("usage.per_second", { count: METRICS.speed.format(request.tokens_per_second) })}
          </span>
        )}
      </p>
    </li>
  );
}

const isFailed = (status: UsageRequestRow["status"]) => !["completed", "aborted", "open"].includes(status);

function notes(t: ReturnType<typeof useT>, request: UsageRequestRow): string[] {
  const { kind, purpose, compaction, attempt, imported, status, refused } = request;
  return [
    ...(status !== "completed" ? [t(`usage.status_${status}`)] : []),
    ...(refused ? [t("usage.refused")] : []),
    ...(kind === "aux" ? [t("usage.aux", { purpose: purpose ?? "–" })] : []),
    ...(compaction ? [t("usage.compaction")] : []),
    ...(attempt > 1 ? [t("usage.attempt", { count: attempt })] : []),
    ...(imported ? [t("usage.imported")] : []),
  ];
}

/** The whole amount, and the prices it comes from. */
function priceTitle(t: ReturnType<typeof useT>, { usd, price }: UsageRequestRow): string | undefined {
  if (usd === null) return undefined;
  if (!price) return exactMoney(usd);
  return `${exactMoney(usd)} · ${t("usage.price_line", {
    read: money(price.cache_read),
    write: money(price.cache_write),
    output: money(price.output),
  })}`;
}

function StatusIcon({ status }: { status: UsageRequestRow["status"] }) {
  const t = useT();
  const label = t(`usage.status_${status}`);
  const look = "size-4 shrink-0";
  if (status === "completed") return <CircleCheck className={cn(look, "text-good")} aria-label={label} />;
  if (status === "aborted") return <CircleStop className={cn(look, "text-faint")} aria-label={label} />;
  if (status === "open") return <CircleDashed className={cn(look, "text-faint")} aria-label={label} />;
  return <CircleAlert className={cn(look, "text-danger")} aria-label={label} />;
}
