"use client";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";

interface WaitsProps {
  /** `running`: it needs this conversation to be idle. `files`: a goal takes none. */
  why: "running" | "files";
  onStop?: () => void;
  stopping?: boolean;
}

/** Why what is staged cannot be sent now, and what to do. */
export function Waits({ why, onStop, stopping }: WaitsProps) {
  const t = useT();
  if (why === "files") return t("staged.goal_files");
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {t("staged.waits")}
      {onStop && (
        <Button variant="link" size="sm" onClick={onStop} busy={stopping}>
          {t("staged.stop_now")}
        </Button>
      )}
    </span>
  );
}
