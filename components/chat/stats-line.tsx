"use client";
import { ScrollText } from "lucide-react";
import { memo, type ReactNode } from "react";
import { CostFigure } from "@/components/cost/cost-figure";
import { costWords } from "@/components/cost/cost-words";
import { CopyButton } from "@/components/ui/copy-button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Explained } from "@/components/ui/scroll-pre";
import { Time } from "@/components/ui/time";
import { Tooltip } from "@/components/ui/tooltip";
import { places } from "@/lib/api/places";
import type { Figures } from "@/lib/api/usage";
import { duration, money, shortCount } from "@/lib/format";
import { elapsed } from "@/lib/trace/transcript";
import type { TaskBlock } from "@/lib/trace/transcript-items";
import type { TaskStats } from "@/lib/trace/transcript-stats";
import { useConversation } from "./conversation-context";
import { ForkButton } from "./fork-button";
import { useTaskUsage } from "./session-usage";

/** Under each answer: how long, how much, and the ways on. */
export const StatsLine = memo(function StatsLine({ task }: { task: TaskBlock }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const { stats, fork_at } = task;
  const answer = task.items
    .flatMap((item) => (item.kind === "text" && typeof item.text === "string" ? [item.text] : []))
    .at(-1);
  const place =
    task.items.findLast((item) => item.kind === "text")?.address ??
    task.items.findLast((item) => item.address)?.address;
  const usage = useTaskUsage(place);
  return (
    <div className="-ml-1.5 flex flex-wrap items-center gap-x-1 text-xs text-faint">
      {answer && <CopyButton text={answer} label={t("chat.copy_answer")} />}
      {place && (
        <Tooltip text={t("chat.open_trace")}>
          <Link
            href={places.trace({ ...sessionRef, index: place.file_index }, place.line)}
            aria-label={t("chat.open_trace")}
            className="inline-flex size-7 items-center justify-center rounded-md hover:bg-hover hover:text-ink"
          >
            <ScrollText className="size-4" aria-hidden="true" />
          </Link>
        </Tooltip>
      )}
      {fork_at && <ForkButton at={fork_at} />}
      <span className="flex flex-wrap items-center gap-x-2 pl-1.5">
        <Figure text={t("chat.time_detail", { waited: duration(stats.waited_ms) })}>{duration(elapsed(task))}</Figure>
        {usage ? (
          <Counted own={usage.figures} total={usage.total} />
        ) : (
          <>
            <Tokens stats={stats} />
            <Cost stats={stats} />
          </>
        )}
        <Time at={stats.ended_at} />
      </span>
    </div>
  );
});

/** As the server counts them: subagents too, and how sure the cost is. */
function Counted({ own, total }: { own: Figures; total: Figures }) {
  const t = useT();
  const { cache_read, cache_write, output } = total.tokens;
  const children = total.requests - own.requests;
  const detail = [
    t("chat.tokens_detail", {
      cached: shortCount(cache_read),
      input: shortCount(cache_write),
      output: shortCount(output),
      requests: total.requests,
    }),
    ...(children > 0 ? [t("usage.of_task_children", { count: children })] : []),
    ...(total.unknown > 0 ? [t("chat.tokens_unknown", { count: total.unknown })] : []),
  ].join(" ");
  const sure = total.cost.stamped.requests > 0 && costWords(t, total.cost).notes.length === 0;
  return (
    <>
      {total.tokens.total === 0 && total.unknown > 0 ? (
        <span>{t("chat.tokens_none")}</span>
      ) : (
        <Figure text={detail}>
          {total.estimated > 0 ? "≈ " : ""}
          {t("chat.tokens", { input: shortCount(cache_read + cache_write), output: shortCount(output) })}
          {total.unknown > 0 ? "+" : ""}
        </Figure>
      )}
      {total.requests > 0 &&
        total.tokens.total > 0 &&
        (sure ? (
          <Figure text={t("chat.cost_detail")}>{costWords(t, total.cost).main}</Figure>
        ) : (
          <CostFigure sum={total.cost} />
        ))}
      {children > 0 && <span>{t("usage.of_task_children", { count: children })}</span>}
    </>
  );
}

function Figure({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Tooltip text={text}>
      <Explained>{children}</Explained>
    </Tooltip>
  );
}

function Tokens({ stats }: { stats: TaskStats }) {
  const t = useT();
  const { cache_read, cache_write, output } = stats.tokens;
  const unknown = stats.unknown > 0 ? ` ${t("chat.tokens_unknown", { count: stats.unknown })}` : "";
  if (stats.tokens.total === 0) return stats.unknown > 0 ? <span>{t("chat.tokens_none")}</span> : null;
  const detail = t("chat.tokens_detail", {
    cached: shortCount(cache_read),
    input: shortCount(cache_write),
    output: shortCount(output),
    requests: stats.requests,
  });
  return (
    <Figure text={detail + unknown}>
      {stats.estimated ? "≈ " : ""}
      {t("chat.tokens", { input: shortCount(cache_read + cache_write), output: shortCount(output) })}
      {stats.unknown > 0 ? "+" : ""}
    </Figure>
  );
}

/** A missing price is never shown as zero. */
function Cost({ stats }: { stats: TaskStats }) {
  const t = useT();
  if (stats.priced === 0) return stats.unpriced > 0 ? <span>{t("chat.no_price")}</span> : null;
  const partial = stats.unpriced > 0 || stats.unknown > 0;
  if (stats.cost === 0 && !partial) return <span>{t("chat.free")}</span>;
  return (
    <Figure text={t(partial ? "chat.cost_partial" : "chat.cost_detail")}>
      {money(stats.cost)}
      {partial ? "+" : ""}
    </Figure>
  );
}
