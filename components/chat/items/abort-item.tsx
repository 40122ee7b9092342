"use client";
import { OctagonX } from "lucide-react";
import { memo } from "react";
import { useT } from "@/components/ui/language";
import type { AbortItem as Item } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { whoId, whoName } from "../who";
import { Notice } from "./row";

const BY_PERSON = /^aborted (by user|during)/;

/** Where a Task was stopped, and by whom. */
export const AbortItem = memo(function AbortItem({ item }: { item: Item }) {
  const t = useT();
  const who = useConversation();
  const person = item.by !== undefined || item.reason === undefined || BY_PERSON.test(item.reason);
  return (
    <Notice icon={<OctagonX className="text-faint" aria-hidden="true" />}>
      <span title={whoId(item.by, who, item.address)}>
        {person
          ? t("chat.stopped_by", { name: whoName(t, item.by, who, item.address) })
          : t("chat.ended", { reason: item.reason ?? "" })}
      </span>
    </Notice>
  );
});
