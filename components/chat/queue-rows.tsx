"use client";
import { CornerDownRight, ListPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import type { QueuedMessage } from "@/lib/api/frames";
import { useWhoIsHere } from "./conversation-context";
import type { Recalled } from "./use-outgoing";
import { whoName } from "./who";

type Recall = (id: string) => Promise<Recalled | undefined>;

/** Messages that are not delivered yet; each can be taken back into the box. */
export function QueueRows({ queue, onRecall }: { queue: readonly QueuedMessage[]; onRecall: Recall }) {
  const t = useT();
  const who = useWhoIsHere();
  const [error, setError] = useState<string | null>(null);
  const recall = async (id: string) => {
    const result = await onRecall(id);
    setError(result && !result.ok ? result.message : null);
  };
  return (
    <div className="mb-2">
      <ul aria-label={t("chat.waiting_messages")} className="divide-y rounded-lg border bg-sunken">
        {queue.map(({ id, kind, text, images, author }) => (
          <li key={id} className="flex min-h-9 items-center gap-2 py-1 pr-1.5 pl-3 text-sm">
            {kind === "steer" ? (
              <CornerDownRight className="size-4 shrink-0 text-faint" aria-hidden="true" />
            ) : (
              <ListPlus className="size-4 shrink-0 text-faint" aria-hidden="true" />
            )}
            <span className="shrink-0 text-xs text-faint">{t(kind === "steer" ? "chat.steering" : "chat.queued")}</span>
            {who && author !== undefined && author !== who.userId && (
              <span className="max-w-40 shrink-0 truncate text-xs text-dim" title={author}>
                {whoName(t, author, who)}
              </span>
            )}
            <span className="min-w-0 flex-1 truncate text-dim">
              {text || t("chat.images_only", { count: images ?? 1 })}
            </span>
            <Button size="sm" variant="ghost" onClick={() => recall(id)}>
              {t("chat.recall")}
            </Button>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-1 px-1 text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
