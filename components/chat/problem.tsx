"use client";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";
import type { SessionView } from "@/lib/api/schemas";
import { useConversation } from "./conversation-context";
import { FolderChip } from "./folder-chip";

interface ProblemProps {
  problem: NonNullable<SessionView["problem"]>;
  /** Chosen for the conversation that goes on; null: a temporary folder. */
  workspace: string | null | undefined;
  onWorkspace: (workspace: string | null) => void;
  onModel: () => void;
}

/** What is missing, and the way on: another model, or another folder, in a new conversation. Reading always works. */
export function Problem({ problem, workspace, onWorkspace, onModel }: ProblemProps) {
  const t = useT();
  const { sessionRef } = useConversation();
  const model = problem.code.startsWith("model_");
  const folder = problem.code === "workspace_missing";
  return (
    <Banner
      tone="attention"
      className="mb-2"
      action={
        <span className="flex flex-wrap gap-2">
          {(model || folder) && (
            <Button size="sm" onClick={onModel}>
              {t("problem.model")}
            </Button>
          )}
          {model && (
            <Button asChild size="sm">
              <Link href={places.models(sessionRef.project)}>{t("chat.open_models")}</Link>
            </Button>
          )}
          <Button asChild size="sm">
            <Link href={places.newConversation(sessionRef.project, sessionRef.agent)}>{t("nav.new_conversation")}</Link>
          </Button>
        </span>
      }
    >
      {problem.message}
      {folder && (
        <span className="mt-2 flex flex-wrap items-center gap-2 text-xs text-dim">
          {t("staged.workspace_gone")}
          <FolderChip
            project={sessionRef.project}
            agent={sessionRef.agent}
            value={workspace ?? undefined}
            onChange={(next) => onWorkspace(next ?? null)}
          />
        </span>
      )}
    </Banner>
  );
}

/** The provider refuses the key: what to do stands with the failure. Here only why nothing can be sent, and the way out. */
export function AuthDead() {
  const t = useT();
  const { sessionRef } = useConversation();
  return (
    <Banner
      tone="attention"
      className="mb-2"
      action={
        <Button asChild size="sm">
          <Link href={places.newConversation(sessionRef.project, sessionRef.agent)}>{t("nav.new_conversation")}</Link>
        </Button>
      }
    >
      {t("auth.dead")}
    </Banner>
  );
}
