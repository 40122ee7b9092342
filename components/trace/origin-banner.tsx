"use client";
import { Network } from "lucide-react";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { SessionRef } from "@/lib/api/routes";
import type { TraceOverview } from "@/lib/api/trace-overview";
import type { WordKey } from "@/lib/i18n/areas";

/** Where this Session comes from: its parent, the one it was forked or switched from. */
export function OriginBanner({ session, overview }: { session: SessionRef; overview: TraceOverview }) {
  const t = useT();
  const { parent, forked_from, switched_from, handoff_from } = overview;
  const others: [WordKey, { agent: string; session_id: string } | undefined][] = [
    ["trace.forked_from", forked_from],
    ["trace.switched_from", switched_from],
    ["trace.handoff_from", handoff_from],
  ];
  const link = "text-accent-ink underline-offset-2 hover:underline";
  const place = ({ agent, session_id }: { agent: string; session_id: string }) => ({
    ...{ project: session.project, agent, session: session_id, index: 1 },
  });
  return (
    <>
      {parent && (
        <span className="inline-flex items-center gap-1">
          <Network className="size-3.5 text-info" aria-hidden="true" />
          {t("trace.child_of")}{" "}
          <Link className={link} href={places.traceFind(place(parent), parent.tool_call_id)}>
            {t("trace.parent")}
          </Link>
        </span>
      )}
      {others.map(([words, source]) =>
        source ? (
          <span key={words}>
            {t(words)}{" "}
            <Link className={link} href={places.trace(place(source))}>
              {t("trace.another")}
            </Link>
          </span>
        ) : null,
      )}
    </>
  );
}
