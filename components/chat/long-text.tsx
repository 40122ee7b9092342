"use client";
import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { byteSize } from "@/lib/format";
import type { RecordAddress } from "@/lib/omni/message";
import type { Long } from "@/lib/trace/transcript-items";
import { useConversation } from "./conversation-context";
import { fetchRecord } from "./session-actions";

/** More than this is saved, not drawn. Bytes. */
const DRAWN_BYTES = 1_500_000;

export interface Place {
  address?: RecordAddress;
  /** Which member of the record's payload holds it. */
  field: string;
  index?: number;
}

/** Fetches a text that was shortened on its way; null when that fails. */
export function useWhole({ address, field, index }: Place) {
  const { sessionRef } = useConversation();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const load = async (): Promise<string | null> => {
    if (!address) return null;
    setState("busy");
    const record = await fetchRecord(sessionRef, address);
    const value = record && member(record.payload, field, index);
    setState(typeof value === "string" ? "idle" : "failed");
    return typeof value === "string" ? value : null;
  };
  return { state, load };
}

interface LongTextProps extends Place {
  text: Long;
  children: (text: string) => ReactNode;
}

/** A text that may have been shortened on its way: its head, and the whole on demand, shown or saved. */
export function LongText({ text, children, ...place }: LongTextProps) {
  const t = useT();
  const [whole, setWhole] = useState<string | null>(null);
  const { state, load } = useWhole(place);
  if (typeof text === "string") return children(text);
  if (whole !== null) return children(whole);
  const size = byteSize(text.bytes);
  const show = async () => setWhole(await load());
  const keep = async () => {
    const value = await load();
    if (value !== null) saveText(value, `${place.field}-${place.address?.file_index}-${place.address?.line}.txt`);
  };
  return (
    <>
      {children(`${text.head}…`)}
      <div className="flex flex-wrap items-center gap-2 px-3 py-1.5 text-xs text-faint">
        {text.bytes <= DRAWN_BYTES && (
          <Button size="sm" variant="secondary" busy={state === "busy"} onClick={show}>
            {t("chat.show_all", { size })}
          </Button>
        )}
        <Button size="sm" variant="ghost" busy={state === "busy"} onClick={keep}>
          <Download aria-hidden="true" />
          {t("chat.save_all", { size })}
        </Button>
        {state === "failed" && <span role="alert">{t("chat.show_all_failed")}</span>}
      </div>
    </>
  );
}

function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function member(payload: object, field: string, index?: number): unknown {
  const value: unknown = Object.entries(payload).find(([key]) => key === field)?.[1];
  return index === undefined ? value : Array.isArray(value) ? value[index] : undefined;
}
