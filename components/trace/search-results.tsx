"use client";
import { ArrowRight, ChevronRight, SearchX } from "lucide-react";
import { useId, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { places } from "@/lib/api/places";
import type { TraceHit } from "@/lib/api/trace-search";
import { byteSize, clockTime, money } from "@/lib/format";
import { describeHit } from "@/lib/trace/describe";
import { KindIcon } from "./kind-icon";
import { Marked } from "./marked";
import { say } from "./phrase";
import { RecordBody } from "./record-body";
import type { FoundTrace, SearchState } from "./use-trace-search";

/** As many hits of a Session as the server sends. */
const PER_SESSION = 20;

interface SearchResultsProps {
  project: string;
  /** The text that was searched for. */
  text: string;
  state: SearchState;
  onStop: () => void;
}

/** What a search found, newest first, while it goes on. Hits open in place. */
export function SearchResults({ project, text, state, onStop }: SearchResultsProps) {
  const t = useT();
  const { step, found, failure, stale } = state;
  // By place, not by row: what was opened stays open when the next answer holds it again.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpened((now) => new Set(now.has(key) ? [...now].filter((one) => one !== key) : [...now, key]));
  if (step === "idle") return null;
  return (
    <div>
      <Status state={state} onStop={onStop} />
      {step === "failed" && (
        <ErrorState title={t("tsearch.failed")}>
          {failure?.code === "network" ? t("network") : failure?.message}
        </ErrorState>
      )}
      {step === "done" && found.length === 0 && (
        <EmptyState icon={<SearchX aria-hidden="true" />} title={t("tsearch.none")}>
          {t("tsearch.none_body")}
        </EmptyState>
      )}
      <ol className={cn("flex flex-col gap-3", stale && "opacity-60")} aria-busy={stale}>
        {found.map((one) => (
          <li key={`${one.session.agent}/${one.session.session_id}`} className="rounded-lg border bg-surface">
            <FoundHead project={project} text={text} found={one} />
            <ol>
              {one.hits.map((hit) => {
                const key = `${one.session.agent}/${one.session.session_id}/${hit.index}:${hit.line}`;
                return (
                  <HitRow
                    key={key}
                    {...{ project, text, hit }}
                    session={one.session}
                    open={opened.has(key)}
                    onToggle={() => toggle(key)}
                  />
                );
              })}
            </ol>
            {one.hits.length >= PER_SESSION && (
              <p className="border-t px-4 py-2 text-xs text-dim">{t("tsearch.only_first", { count: PER_SESSION })}</p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Status({
  state: { step, progress, hits, found, more, stale },
  onStop,
}: Pick<SearchResultsProps, "state" | "onStop">) {
  const t = useT();
  const count = t("tsearch.done", {
    hits: t("tsearch.hits", { count: hits }),
    sessions: t("tsearch.sessions", { count: found.length }),
  });
  return (
    <div className="mb-3 flex min-h-7 flex-wrap items-center gap-3 text-sm text-dim">
      <span role="status">{found.length > 0 && !stale ? count : ""}</span>
      {step === "stopped" && <span>{t("tsearch.stopped")}</span>}
      {more && <span>{t("tsearch.more")}</span>}
      {step === "searching" && (
        <>
          <span className="tabular text-xs">
            {progress
              ? t("tsearch.searching", { read: byteSize(progress.bytes), total: byteSize(progress.total_bytes) })
              : t("tsearch.begins")}
          </span>
          <Button size="sm" onClick={onStop}>
            {t("tsearch.stop")}
          </Button>
        </>
      )}
    </div>
  );
}

function FoundHead({ project, text, found: { session } }: { project: string; text: string; found: FoundTrace }) {
  const t = useT();
  const { agent, session_id, title, imported, last_active_at, files, cost } = session;
  const ref = { project, agent, session: session_id, index: files.at(-1)?.index ?? 1 };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <Link
        href={text === "" ? places.trace(ref) : places.traceFind(ref, text)}
        className="min-w-0 flex-1 truncate font-medium hover:underline"
      >
        {title ?? t("trace.untitled")}
      </Link>
      {imported && <Badge tone="info">{t("trace.imported")}</Badge>}
      {cost !== undefined && <span className="tabular text-xs text-dim">{money(cost)}</span>}
      <span className="text-xs text-dim">{agent}</span>
      <span className="text-xs text-dim">
        <Time at={last_active_at} />
      </span>
    </div>
  );
}

interface HitRowProps {
  project: string;
  text: string;
  session: FoundTrace["session"];
  hit: TraceHit;
  open: boolean;
  onToggle: () => void;
}

/** One hit: opens the record here, or leads to it. */
function HitRow({ project, text, session, hit, open, onToggle }: HitRowProps) {
  const t = useT();
  const body = useId();
  const { kind, label } = describeHit(hit.type, hit.role);
  const trace = { project, agent: session.agent, session: session.session_id, index: hit.index };
  return (
    <li className="border-t">
      <div className="flex items-center gap-1 pr-2">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={body}
          onClick={onToggle}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 px-4 py-1.5 text-left text-sm -outline-offset-2 hover:bg-hover"
        >
          <ChevronRight
            aria-hidden="true"
            className={cn("size-3.5 shrink-0 text-faint transition-transform duration-120", open && "rotate-90")}
          />
          <KindIcon kind={kind} />
          <span className="w-28 shrink-0 truncate font-medium max-sm:sr-only">{say(t, label)}</span>
          <span className="min-w-0 flex-1 truncate text-dim">
            <Marked snippet={hit.snippet} />
          </span>
          <time dateTime={hit.timestamp} className="tabular font-mono text-xs text-faint max-sm:hidden">
            {clockTime(hit.timestamp)}
          </time>
        </button>
        <Button asChild size="sm" variant="ghost">
          <Link
            href={places.traceHit(trace, hit.line, text)}
            aria-label={t("tsearch.open_at")}
            title={t("tsearch.open_at")}
          >
            <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      </div>
      <div id={body}>{open && <RecordBody trace={trace} line={hit.line} />}</div>
    </li>
  );
}
