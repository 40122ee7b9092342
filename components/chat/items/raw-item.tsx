"use client";
import { Braces } from "lucide-react";
import { memo, useState } from "react";
import { Code } from "@/components/ui/code";
import { useT } from "@/components/ui/language";
import type { RawItem as Item } from "@/lib/trace/transcript-items";
import { Fold } from "./row";

/** A record that this page does not know: kept, and shown as it is. */
export const RawItem = memo(function RawItem({ item }: { item: Item }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const { payload } = item.message;
  const kind = "type" in payload ? String(payload.type) : item.message.type;
  return (
    <Fold
      icon={<Braces className="text-faint" aria-hidden="true" />}
      title={t("chat.raw_record", { kind })}
      open={open}
      onToggle={setOpen}
    >
      <Code className="mb-2">{JSON.stringify(item.message, null, 2)}</Code>
    </Fold>
  );
});
