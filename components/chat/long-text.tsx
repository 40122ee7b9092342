"use client";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";
import type { RecordAddress } from "@/lib/omni/message";
import type { Long } from "@/lib/trace/transcript-items";
import { useConversation } from "./conversation-context";
import { fetchRecord } from "./session-actions";

interface LongTextProps {
  text: Long;
  address?: RecordAddress;
  /** Which member of the record's payload holds it. */
  field: string;
  index?: number;
  children: (text: string) => ReactNode;
}

/** A text that may have been shortened on its way: its head, and the whole on demand. */
export function LongText({ text, address, field, index, children }: LongTextProps) {
  const t = useT();
  const { sessionRef } = useConversation();
  const [whole, setWhole] = useState<string | null>(null);
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  if (typeof text === "string") return children(text);
  if (whole !== null) return children(whole);
  const load = async () => {
    if (!address) return;
    setState("busy");
    const record = await fetchRecord(sessionRef, address);
    const value = record && member(record.payload, field, index);
    setWhole(typeof value === "string" ? value : null);
    setState(typeof value === "string" ? "idle" : "failed");
  };
  return (
    <>
      {children(`${text.head}…`)}
      <div className="mt-1 flex items-center gap-2 text-xs text-faint">
        <Button size="sm" variant="secondary" busy={state === "busy"} onClick={load}>
          {t("chat.show_all", { size: byteSize(text.bytes) })}
        </Button>
        {state === "failed" && <span role="alert">{t("chat.show_all_failed")}</span>}
      </div>
    </>
  );
}

function member(payload: object, field: string, index?: number): unknown {
  const value: unknown = Object.entries(payload).find(([key]) => key === field)?.[1];
  return index === undefined ? value : Array.isArray(value) ? value[index] : undefined;
}
