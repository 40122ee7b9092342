"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Square, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { Popover } from "@/components/ui/popover";
import { ErrorState } from "@/components/ui/states";
import { queries } from "@/lib/api/queries";
import type { ProcessView } from "@/lib/api/schemas";
import { useConversation } from "./conversation-context";
import { Elapsed } from "./elapsed";
import { stopProcess } from "./session-actions";

/** Commands that go on in the background, with a way to end each. Absent while there are none. */
export function RunningCommands({ count }: { count: number }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (count === 0) return null;
  const words = t("chat.running_commands", { count });
  return (
    <Popover
      label={words}
      align="end"
      open={open}
      onOpenChange={setOpen}
      className="w-96"
      trigger={
        <button
          type="button"
          aria-label={words}
          className="inline-flex h-7 items-center gap-1.5 rounded-md px-1.5 hover:bg-hover hover:text-ink"
        >
          <SquareTerminal className="size-4 text-trace-running" aria-hidden="true" />
          <span className="tabular">{count}</span>
        </button>
      }
    >
      <p className="mb-2 text-sm font-medium">{words}</p>
      <List key={count} />
    </Popover>
  );
}

function List() {
  const t = useT();
  const { sessionRef } = useConversation();
  const { data, isError, refetch } = useQuery({ ...queries.processes(sessionRef), refetchOnMount: "always" });
  if (isError) return <ErrorState title={t("chat.commands_not_loaded")} onRetry={() => void refetch()} />;
  if (!data) return <p className="text-xs text-dim">{t("common.loading")}</p>;
  return (
    <ul className="flex max-h-72 flex-col gap-1.5 overflow-y-auto">
      {data.map((process) => (
        <Row key={process.process_id} process={process} />
      ))}
    </ul>
  );
}

function Row({ process: { process_id, cmd, started_at } }: { process: ProcessView }) {
  const t = useT();
  const { sessionRef, canWork } = useConversation();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const stop = async () => {
    setBusy(true);
    const result = await stopProcess(sessionRef, process_id);
    setBusy(false);
    // Somebody else was faster, or it ended by itself.
    setError(result.ok || result.error.code === "not_found" ? null : result.error.message);
    void client.invalidateQueries({ queryKey: queries.processes(sessionRef).queryKey });
  };
  return (
    <li className="flex items-center gap-2 rounded-md border px-2 py-1.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-mono text-xs" title={cmd}>
          {cmd}
        </p>
        <p className="text-xs text-faint">
          {process_id} · <Elapsed since={started_at} />
        </p>
        {error && (
          <p role="alert" className="text-xs text-danger">
            {error}
          </p>
        )}
      </div>
      {canWork && (
        <Button size="sm" onClick={stop} busy={busy} aria-label={`${t("chat.stop_command")}: ${cmd}`}>
          <Square aria-hidden="true" />
          {t("chat.stop_command")}
        </Button>
      )}
    </li>
  );
}
