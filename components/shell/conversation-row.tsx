"use client";
import { Hand, Pin } from "lucide-react";
import { usePathname } from "next/navigation";
import { type MouseEvent, memo } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { places } from "@/lib/api/places";
import type { SessionView } from "@/lib/api/schemas";
import { ConversationMenu } from "./conversation-menu";
import type { LiveState } from "./conversations";
import type { ChangeMarks } from "./use-marks";

interface ConversationRowProps {
  project: string;
  session: SessionView;
  live?: LiveState;
  /** May this person change it? */
  canWork: boolean;
  /** Shown when the Project has several Agents. */
  agentName?: string;
  pinned?: boolean;
  /** Something happened in it that this person has not seen. */
  unread?: boolean;
  onMark: ChangeMarks;
}

/** One conversation: its title, and whether it runs or waits for a person. Drawn again only when that changes. */
export const ConversationRow = memo(Row, (before, { live, ...now }) => {
  const { live: was, ...rest } = before;
  return was?.state === live?.state && was?.approvals === live?.approvals && sameMembers(rest, now);
});

function sameMembers(a: object, b: object): boolean {
  const values = new Map(Object.entries(b));
  const entries = Object.entries(a);
  return entries.length === values.size && entries.every(([key, value]) => Object.is(value, values.get(key)));
}

function Row(props: ConversationRowProps) {
  const { project, session, live, canWork, agentName, pinned = false, onMark } = props;
  const t = useT();
  const href = places.conversation({ project, agent: session.agent, session: session.id });
  const here = usePathname() === href;
  const title = session.title ?? t("nav.untitled");
  const approvals = live?.approvals ?? session.pending_approvals;
  const state = live?.state ?? session.status;
  const unread = props.unread === true && state === "idle" && approvals === 0;
  const toCard = (event: MouseEvent) => {
    if (!here || approvals === 0) return;
    event.preventDefault();
    document.querySelector('[id^="approval-"]')?.scrollIntoView({ block: "center" });
  };

  return (
    <li className="group relative">
      <Link
        href={approvals > 0 ? `${href}#approval` : href}
        onClick={toCard}
        title={title}
        aria-current={here ? "page" : undefined}
        className={cn(
          "flex min-h-8 pointer-coarse:min-h-10 items-center gap-2 rounded-md px-2 py-1 text-sm text-dim transition-colors duration-120 hover:bg-hover hover:text-ink",
          here && "bg-press font-medium text-ink",
          unread && "font-medium text-ink",
          canWork && "group-focus-within:pr-9 group-hover:pr-9 max-sm:pr-9 pointer-coarse:pr-9",
        )}
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            {pinned && <Pin className="mr-1.5 inline size-3 text-faint" aria-label={t("list.pinned")} />}
            {title}
          </span>
          {agentName && <span className="block truncate text-xs font-normal text-dim">{agentName}</span>}
        </span>
        {approvals > 0 ? (
          <Badge tone="attention" title={t("nav.waiting", { count: approvals })}>
            <Hand aria-hidden="true" />
            <span aria-hidden="true">{approvals}</span>
            <span className="sr-only">{t("nav.waiting", { count: approvals })}</span>
          </Badge>
        ) : unread ? (
          <span className="flex size-4 items-center justify-center" title={t("list.unread")}>
            <span className="size-2 rounded-full bg-accent" aria-hidden="true" />
            <span className="sr-only">{t("list.unread")}</span>
          </span>
        ) : (
          state !== "idle" && (
            <span className="flex size-4 items-center justify-center text-accent-ink">
              <Spinner className="size-3.5" />
              <span className="sr-only">{t(state === "running" ? "nav.running" : "nav.compacting")}</span>
            </span>
          )
        )}
      </Link>
      {canWork && (
        <ConversationMenu
          sessionRef={{ project, agent: session.agent, session: session.id }}
          title={title}
          archived={session.archived}
          pinned={pinned}
          onMark={onMark}
          here={here}
        />
      )}
    </li>
  );
}
