"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { CostFigure } from "@/components/cost/cost-figure";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Popover } from "@/components/ui/popover";
import { places } from "@/lib/api/places";
import { keys, queries } from "@/lib/api/queries";
import type { Figures, SessionUsage } from "@/lib/api/usage";
import { duration, money, percent, shortCount } from "@/lib/format";
import type { RecordAddress } from "@/lib/omni/message";
import { useConversation } from "./conversation-context";

/** Tasks whose usage is asked for at once: a long conversation has more than anybody looks at. */
export const COUNTED = 100;

/** What the conversation has used, with its subagents; undefined until it is counted. */
export function useSessionUsage(): SessionUsage | undefined {
  return useQuery(useUsageQuery()).data;
}

function useUsageQuery() {
  const { sessionRef, counted } = useConversation();
  const newest = () => counted?.current ?? COUNTED;
  return { ...queries.sessionUsage(sessionRef, newest), staleTime: Number.POSITIVE_INFINITY, retry: false };
}

/** Asks for more Tasks once the page holds more. */
export function useWiderUsage(blocks: number): void {
  const client = useQueryClient();
  const { sessionRef, counted } = useConversation();
  const wanted = Math.ceil(blocks / COUNTED) * COUNTED;
  useEffect(() => {
    if (!counted || wanted <= counted.current) return;
    counted.current = wanted;
    void client.invalidateQueries({ queryKey: keys.sessionUsage(sessionRef) });
  }, [client, sessionRef, counted, wanted]);
}

/** Counts anew whenever another Request has ended, or a Task. */
export function useFreshUsage(ended: string, active: boolean): void {
  const client = useQueryClient();
  const { sessionRef } = useConversation();
  const counted = useRef({ ended, active });
  useEffect(() => {
    const before = counted.current;
    counted.current = { ended, active };
    // A Task that begins has used nothing yet.
    if (before.ended === ended && (before.active === active || active)) return;
    void client.invalidateQueries({ queryKey: keys.sessionUsage(sessionRef) });
  }, [client, sessionRef, ended, active]);
}

type TaskUsage = SessionUsage["tasks"][number];

const before = (a: RecordAddress, b: RecordAddress) =>
  a.file_index !== b.file_index ? a.file_index < b.file_index : a.line < b.line;

/** What one Task has used: the one that a record belongs to. */
export function useTaskUsage(at: RecordAddress | undefined): TaskUsage | undefined {
  const query = useUsageQuery();
  const find = ({ tasks }: SessionUsage) =>
    tasks.find(({ from, to }) => at && !before(at, from) && !before(to, at)) ?? null;
  // Only its own figures: those of other Tasks change without it.
  return useQuery({ ...query, select: find }).data ?? undefined;
}

/** Tokens and cost in the header; opens to what they are made of. */
export function SessionUsageButton({ usage }: { usage: SessionUsage }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const [open, setOpen] = useState(false);
  const { total, own, subagents } = usage;
  const tokens = t("chat.tokens_total", { total: shortCount(total.tokens.total) });
  const { project, agent, session } = sessionRef;
  const query = new URLSearchParams({ range: "all", session: `${agent}/${session}` });
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      align="end"
      label={t("usage.of_conversation")}
      className="w-96 text-sm"
      trigger={
        <button
          type="button"
          title={t("usage.of_conversation")}
          className="tabular -mx-1.5 flex h-7 items-center gap-2 rounded-md px-1.5 hover:bg-hover hover:text-ink data-[state=open]:bg-hover"
        >
          {total.tokens.total === 0 && total.unknown > 0 ? (
            t("chat.tokens_none")
          ) : (
            <>
              <span>
                {tokens}
                {total.unknown > 0 && "+"}
              </span>
              <CostFigure sum={total.cost} notes="none" />
            </>
          )}
        </button>
      }
    >
      <h2 className="font-medium">{t("usage.of_conversation")}</h2>
      <Parts figures={total} />
      {subagents.length > 0 && (
        <table className="tabular mt-3 w-full text-xs">
          <tbody>
            <Line name={t("usage.here")} figures={own} />
            {subagents.map((child) => (
              <Line
                key={`${child.agent}/${child.session_id}`}
                name={
                  <Link
                    href={places.conversation({ project, agent: child.agent, session: child.session_id })}
                    className="text-accent-ink underline-offset-4 hover:underline"
                  >
                    {child.agent}
                  </Link>
                }
                figures={child.figures}
              />
            ))}
          </tbody>
          <tfoot className="border-t border-line-strong font-medium">
            <Line name={t("usage.with_children")} figures={total} />
          </tfoot>
        </table>
      )}
      <Button asChild size="sm" className="mt-3">
        <Link href={places.usage(project, query.toString())}>
          {t("usage.open_page")}
          <ArrowRight aria-hidden="true" />
        </Link>
      </Button>
    </Popover>
  );
}

function Parts({ figures }: { figures: Figures }) {
  const t = useT();
  const { tokens, requests, failed, aborted } = figures;
  const rows: [string, ReactNode][] = [
    [t("usage.cost"), <CostFigure key="cost" sum={figures.cost} notes="stack" className="items-end justify-end" />],
    [
      t("usage.requests"),
      [
        String(requests),
        ...(failed > 0 ? [t("usage.failed_of", { count: failed })] : []),
        ...(aborted > 0 ? [t("usage.stopped_of", { count: aborted })] : []),
      ].join(" · "),
    ],
    [t("usage.cache_read"), shortCount(tokens.cache_read)],
    [t("usage.cache_write"), shortCount(tokens.cache_write)],
    [t("usage.output"), shortCount(tokens.output)],
    [t("usage.cache_hit_rate"), percent(figures.cache_hit_rate)],
    ...(figures.ms_per_request === null
      ? []
      : [[t("usage.time_per_request"), duration(figures.ms_per_request)] satisfies [string, ReactNode]]),
  ];
  return (
    <dl className="tabular mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-xs">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-dim">{name}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Line({ name, figures }: { name: ReactNode; figures: Figures }) {
  const t = useT();
  return (
    <tr>
      <th scope="row" className="max-w-40 truncate py-1 text-left font-normal">
        {name}
      </th>
      <td className="py-1 text-right text-dim">{t("usage.tokens_of", { count: shortCount(figures.tokens.total) })}</td>
      <td className="py-1 pl-3 text-right" title={money(figures.cost.usd)}>
        <CostFigure sum={figures.cost} notes="none" />
      </td>
    </tr>
  );
}
