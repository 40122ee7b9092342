"use client";
import { useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { queries } from "@/lib/api/queries";
import type { ApprovalMode } from "@/lib/omni/message";
import { useConversation } from "./conversation-context";
import { patchSession } from "./session-actions";

// Spelt here because the schemas' values would bring the validation library into the browser.
const MODES = ["read-only", "always-ask", "allow-all", "deny-all"] as const satisfies ApprovalMode[];

/** How freely this conversation's tools run; a change counts from the next call on, also while a Task runs. */
export function ModeChip({ mode = "read-only" }: { mode?: ApprovalMode }) {
  const t = useT();
  const client = useQueryClient();
  const { sessionRef } = useConversation();
  const [wanted, setWanted] = useState<ApprovalMode | null>(null);
  const choose = async (approval_mode: ApprovalMode) => {
    setWanted(approval_mode);
    const result = await patchSession(sessionRef, { approval_mode });
    if (!result.ok) toast.error(result.error.message);
    await client.invalidateQueries({ queryKey: queries.session(sessionRef).queryKey });
    setWanted(null);
  };
  return (
    <Select
      look="chip"
      label={t("chat.mode")}
      icon={<ShieldCheck />}
      value={wanted ?? mode}
      disabled={wanted !== null}
      onChange={choose}
      options={MODES.map((value) => ({
        value,
        label: t(`approval_mode.${value}`),
        detail: t(`approval_mode.${value}.detail`),
      }))}
    />
  );
}
