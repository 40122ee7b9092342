"use client";
import { Check, Link2 } from "lucide-react";
import { useState } from "react";
import { copyText } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { places } from "@/lib/api/places";
import type { TraceRef } from "@/lib/api/routes";

/** Copies the address of one record. */
export function CopyLink({ trace, line }: { trace: TraceRef; line: number }) {
  const t = useT();
  const [done, setDone] = useState(false);
  return (
    <IconButton
      label={t(done ? "common.copied" : "trace.copy_link")}
      size="sm"
      onClick={async () => setDone(await copyText(new URL(places.trace(trace, line), location.origin).href))}
      onBlur={() => setDone(false)}
    >
      {done ? <Check className="text-good" /> : <Link2 />}
    </IconButton>
  );
}
