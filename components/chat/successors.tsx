"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, GitFork, Repeat2 } from "lucide-react";
import { useState } from "react";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { failureFrom } from "@/lib/api/client";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import type { SessionView, Successor } from "@/lib/api/schemas";
import { useConversation } from "./conversation-context";
import type { SessionState } from "./session-store";

const ICONS = { switch: ArrowLeftRight, handoff: Repeat2, fork: GitFork };
const SHOWN = 2;
const line =
  "flex shrink-0 flex-wrap items-center justify-center gap-x-2 border-b bg-sunken px-4 py-1.5 text-xs text-dim [&_svg]:size-3.5";
const link = "min-w-0 max-w-72 truncate text-accent-ink hover:underline";

/** Where this conversation came from: by its own meta, so also before any text of it is loaded. */
export function SourceBanner({ session, state }: { session: SessionView | undefined; state: SessionState }) {
  const of = state.transcript.meta ?? session;
  const kind = of?.switched_from ? "switch" : of?.handoff_from ? "handoff" : of?.forked_from ? "fork" : null;
  const from = of?.switched_from ?? of?.handoff_from ?? of?.forked_from;
  return kind && from ? <Source kind={kind} agent={from.agent} session={from.session_id} /> : null;
}

function Source({ kind, agent, session }: { kind: Successor["kind"]; agent: string; session: string }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const ref = { project: sessionRef.project, agent, session };
  const { data, error } = useQuery({ ...queries.session(ref), staleTime: 60_000, retry: false });
  const Icon = ICONS[kind];
  // Deleted, or somebody's own: the server says the same of both.
  const gone = error !== null && failureFrom(error).code === "not_found";
  return (
    <p className={line}>
      <Icon aria-hidden="true" />
      {kind === "switch" && data ? t("chat.switched_from", { model: data.model_id }) : t(`next.from_${kind}`)}
      {gone ? (
        t("next.gone")
      ) : (
        <Link href={places.conversation(ref)} className={link}>
          {data?.title ?? t("next.open")}
        </Link>
      )}
    </p>
  );
}

/** Where it goes on: newest first; nothing of it is written here, it is read from those conversations. */
export function SuccessorBanner({ session }: { session: SessionView | undefined }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const [all, setAll] = useState(false);
  const next = session?.continued_in?.toReversed() ?? [];
  const shown = all ? next : next.slice(0, SHOWN);
  const words = ({ kind, model_id, agent }: Successor) => t(`next.${kind}`, { model: model_id, agent });
  return shown.map((one) => {
    const Icon = ICONS[one.kind];
    const rest = one === shown.at(-1) ? next.length - shown.length : 0;
    return (
      <p key={one.session_id} className={line}>
        <Icon aria-hidden="true" />
        {words(one)}
        <Link href={places.conversation({ ...sessionRef, agent: one.agent, session: one.session_id })} className={link}>
          {one.title ?? t("nav.untitled")}
        </Link>
        {rest > 0 && (
          <button type="button" onClick={() => setAll(true)} className="hover:text-ink hover:underline">
            {t("next.more", { count: rest })}
          </button>
        )}
      </p>
    );
  });
}
