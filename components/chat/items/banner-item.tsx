"use client";
import { ArrowLeftRight, Bell, CalendarClock, Goal, Repeat2, Sparkles } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { ScrollPre } from "@/components/ui/scroll-pre";
import { places } from "@/lib/api/places";
import type { BannerItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { Fold, Notice } from "./row";

/** A marker of a machine, in words. */
export const BannerItem = memo(function BannerItem({ item: { banner } }: { item: Item }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const [open, setOpen] = useState(false);
  const to = (agent: string, session: string, title?: string) => (
    <Link
      href={places.conversation({ ...sessionRef, agent, session })}
      className="font-medium text-accent-ink hover:underline"
    >
      {title ?? session}
    </Link>
  );
  const [icon, content]: [ReactNode, ReactNode] = (() => {
    switch (banner.type) {
      case "model_switch":
        return [
          <ArrowLeftRight key="icon" aria-hidden="true" />,
          <>
            {t("chat.switched_from", { model: banner.previous_model ?? t("chat.another_model") })}{" "}
            {to(sessionRef.agent, banner.session, banner.title)}
          </>,
        ];
      case "handoff":
        return [
          <Repeat2 key="icon" aria-hidden="true" />,
          <>
            {t("chat.handed_over", { agent: banner.agent_name ?? banner.agent })}{" "}
            {banner.session && to(banner.agent, banner.session, banner.title)}
          </>,
        ];
      case "skills":
        return [
          <Sparkles key="icon" aria-hidden="true" />,
          t("chat.with_skills", { skills: banner.skills.join(", ") }),
        ];
      case "schedule":
        return [<CalendarClock key="icon" aria-hidden="true" />, t("chat.scheduled", { schedule: banner.schedule })];
      case "goal":
        return [<Goal key="icon" aria-hidden="true" />, t("chat.goal_round", { round: banner.round })];
      case "background":
        return [
          <Bell key="icon" aria-hidden="true" />,
          t("chat.background_done", { kind: banner.kind, id: banner.id, status: banner.status }) +
            (banner.detail ? `: ${banner.detail}` : ""),
        ];
    }
  })();
  const output = banner.type === "background" ? banner.output : undefined;
  return (
    <div className="mx-auto w-fit max-w-full rounded-2xl border bg-sunken px-3 py-1">
      <Notice icon={icon}>{content}</Notice>
      {output !== undefined && (
        <Fold title={t("chat.background_output")} open={open} onToggle={setOpen}>
          <ScrollPre label={t("chat.background_output")} className="mb-1 max-h-60">
            {output}
          </ScrollPre>
        </Fold>
      )}
    </div>
  );
});
