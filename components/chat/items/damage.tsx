"use client";
import { FileWarning } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { DamagedLine } from "@/lib/trace/transcript-items";
import { useConversation } from "../conversation-context";
import { Notice } from "./row";

const SHOWN = 5;

/** What recovery had to leave out, line by line, with the way to each. */
export function Damage({ lines }: { lines: readonly DamagedLine[] }) {
  const t = useT();
  const { sessionRef } = useConversation();
  const [hidden, setHidden] = useState(0);
  if (lines.length <= hidden) return null;
  return (
    <div className="my-2">
      <Notice
        tone="attention"
        icon={<FileWarning aria-hidden="true" />}
        action={
          <Button size="sm" variant="ghost" onClick={() => setHidden(lines.length)}>
            {t("chat.hide")}
          </Button>
        }
      >
        <p>{t("chat.damaged_lines", { count: lines.length })}</p>
        <ul className="mt-1 space-y-0.5 text-xs">
          {lines.slice(0, SHOWN).map(({ file_index, line, error }) => (
            <li key={`${file_index}:${line}`}>
              <Link
                href={places.trace({ ...sessionRef, index: file_index }, line)}
                className="text-accent-ink hover:underline"
              >
                {t("chat.damaged", { line, file: file_index })}
              </Link>{" "}
              <span className="text-dim">{error}</span>
            </li>
          ))}
          {lines.length > SHOWN && <li className="text-dim">{t("chat.and_more", { count: lines.length - SHOWN })}</li>}
        </ul>
      </Notice>
    </div>
  );
}
