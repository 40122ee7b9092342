"use client";
import { ChevronDown, Globe } from "lucide-react";
import { useMemo, useState } from "react";
import { useT } from "@/components/ui/language";
import { type Pick, PickList } from "@/components/ui/pick-list";
import { Popover } from "@/components/ui/popover";
import { offsetOf } from "./labels";
import { localZone, useOpenable } from "./use-address";

/** Where days begin and end: shown always, and chosen here. */
export function ZonePicker() {
  const t = useT();
  const address = useOpenable();
  const [open, setOpen] = useState(false);
  const tz = address?.filters.tz ?? "";
  const picks = useMemo(() => (open ? zones(tz, t("usage.zone_here")) : []), [open, tz, t]);
  if (!address) return null;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t("usage.zone")}
      className="flex max-h-96 flex-col overflow-hidden p-0"
      trigger={
        <button
          type="button"
          aria-label={`${t("usage.zone")}: ${tz}`}
          className="inline-flex h-7 items-center gap-1.5 rounded-full border bg-surface px-2.5 text-xs text-dim hover:border-line-strong hover:text-ink"
        >
          <Globe className="size-3.5 text-faint" aria-hidden="true" />
          {tz.replaceAll("_", " ") || "…"}
          <ChevronDown className="size-3.5 text-faint" aria-hidden="true" />
        </button>
      }
    >
      <PickList
        label={t("usage.zone")}
        placeholder={t("usage.zone_search")}
        picks={picks}
        onPick={(value) => {
          address.set({ tz: value });
          setOpen(false);
        }}
        onCancel={() => setOpen(false)}
        empty={t("usage.zone_none")}
      />
    </Popover>
  );
}

/** The zone of this browser and UTC first, then all that are known. */
function zones(current: string, here: string): Pick[] {
  const local = localZone();
  const all = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
  const names = new Set([local, "UTC", ...(current ? [current] : []), ...all]);
  const now = Date.now();
  return [...names].map((value) => ({
    value,
    label: value.replaceAll("_", " "),
    detail: value === local ? `${offsetOf(value, now)} · ${here}` : offsetOf(value, now),
    current: value === current,
    words: offsetOf(value, now),
  }));
}
