"use client";
import { Pencil, Trash2 } from "lucide-react";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { Switch } from "@/components/ui/switch";
import type { CommandRuleView } from "@/lib/api/command-policy";

interface RuleRowProps {
  rule: CommandRuleView;
  busy: boolean;
  /** Absent: it can only be read. */
  change?: { toggle: (enabled: boolean) => void; edit: () => void; remove: () => void } | undefined;
}

/** One rule: whether it applies, its name, what it looks for, what the model is told. */
export function RuleRow({ rule: { name, pattern, description, enabled, problem }, busy, change }: RuleRowProps) {
  const t = useT();
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Switch
        checked={enabled}
        disabled={!change || busy}
        aria-label={t("policy.toggle", { name })}
        className="mt-0.5"
        onCheckedChange={(next) => change?.toggle(next)}
      />
      <div className={cn("min-w-0 flex-1", !enabled && "opacity-60")}>
        <p className="text-sm font-medium wrap-anywhere">{name}</p>
        {description && <p className="text-xs text-dim wrap-anywhere">{description}</p>}
        <code className="mt-1 block font-mono text-xs text-dim wrap-anywhere">{pattern}</code>
        {problem && <p className="mt-1 text-xs text-danger">{t("policy.broken", { why: problem })}</p>}
      </div>
      {change && (
        <div className="flex shrink-0 gap-1">
          <IconButton label={t("policy.edit", { name })} disabled={busy} onClick={change.edit}>
            <Pencil aria-hidden="true" />
          </IconButton>
          <IconButton label={t("policy.remove", { name })} disabled={busy} onClick={change.remove}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </li>
  );
}
