"use client";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { RecordAddress } from "@/lib/omni/message";
import { useConversation } from "../conversation-context";

/** The way to a record in the Trace, where its raw form stands. */
export function TraceLink({ address }: { address: RecordAddress | undefined }) {
  const t = useT();
  const { sessionRef } = useConversation();
  if (!address) return null;
  return (
    <Link
      href={places.trace({ ...sessionRef, index: address.file_index }, address.line)}
      className="text-xs text-faint hover:text-ink hover:underline"
    >
      {t("chat.open_trace")}
    </Link>
  );
}
