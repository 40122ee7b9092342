"use client";
import { useId } from "react";
import { Badge } from "@/components/ui/badge";
import { useT } from "@/components/ui/language";
import { Switch } from "@/components/ui/switch";

interface SettingSwitchProps {
  title: string;
  detail: string;
  value: boolean;
  /** Absent: it can only be read. */
  onChange?: ((value: boolean) => void) | undefined;
  /** A change is on its way. */
  busy?: boolean;
  /** What a reader sees of it. Default: allowed, not allowed. */
  states?: { on: string; off: string };
}

/** One thing that is on or off, and what that means. */
export function SettingSwitch({ title, detail, value, onChange, busy = false, states }: SettingSwitchProps) {
  const t = useT();
  const id = useId();
  const { on, off } = states ?? { on: t("settings.yes"), off: t("settings.no") };
  return (
    <div className="flex items-start gap-4 px-4 py-3">
      <div className="min-w-0 flex-1">
        <label htmlFor={onChange ? id : undefined} className="text-sm font-medium">
          {title}
        </label>
        <p id={`${id}-detail`} className="text-xs text-dim">
          {detail}
        </p>
      </div>
      {onChange ? (
        <Switch id={id} checked={value} disabled={busy} onCheckedChange={onChange} aria-describedby={`${id}-detail`} />
      ) : (
        <Badge tone={value ? "good" : "neutral"}>{value ? on : off}</Badge>
      )}
    </div>
  );
}
