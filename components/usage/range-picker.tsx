"use client";
import { CalendarRange, Check, ChevronDown } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useLanguage, useT } from "@/components/ui/language";
import { Popover } from "@/components/ui/popover";
import type { UsageView } from "@/lib/api/usage";
import { RANGES } from "@/lib/api/usage-values";
import { rangeOf } from "./filters";
import { dayLabel } from "./labels";
import { useOpenable } from "./use-address";

interface RangePickerProps {
  /** Its days are offered as the beginning of a custom range. */
  view: { range: Pick<UsageView["range"], "from_day" | "to_day"> } | undefined;
}

/** Presets, or two days of a calendar. */
export function RangePicker({ view }: RangePickerProps) {
  const t = useT();
  const [language] = useLanguage();
  const address = useOpenable();
  const [open, setOpen] = useState(false);
  if (!address) return null;
  const { filters, set } = address;
  const range = rangeOf(filters);
  const days = [filters.from, filters.to].filter(Boolean).map((day) => dayLabel(day, language));
  const name = range === "custom" && days.length > 0 ? days.join(" – ") : t(`usage.range_${range}`);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t("usage.range")}
      className="w-72 p-1"
      trigger={
        <button
          type="button"
          aria-label={`${t("usage.range")}: ${name}`}
          className="inline-flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-surface px-2.5 text-xs font-medium text-ink hover:border-faint"
        >
          <CalendarRange className="size-3.5 text-faint" aria-hidden="true" />
          {name}
          <ChevronDown className="size-3.5 text-faint" aria-hidden="true" />
        </button>
      }
    >
      <ul>
        {RANGES.filter((one) => one !== "custom").map((one) => (
          <li key={one}>
            <button
              type="button"
              aria-pressed={one === range}
              onClick={() => {
                set({ range: one, from: "", to: "" });
                setOpen(false);
              }}
              className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover"
            >
              <Check className={cn("size-4 text-accent-ink", one !== range && "invisible")} aria-hidden="true" />
              {t(`usage.range_${one}`)}
            </button>
          </li>
        ))}
      </ul>
      <Custom
        from={filters.from || view?.range.from_day || ""}
        to={filters.to || view?.range.to_day || ""}
        onTake={(from, to) => {
          set({ range: "custom", from, to });
          setOpen(false);
        }}
      />
    </Popover>
  );
}

interface CustomProps {
  from: string;
  to: string;
  onTake: (from: string, to: string) => void;
}

function Custom({ from, to, onTake }: CustomProps) {
  const t = useT();
  const form = useId();
  const [first, setFirst] = useState(from);
  const [last, setLast] = useState(to);
  const wrong = first !== "" && last !== "" && first > last;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wrong && (first || last)) onTake(first, last);
  };
  return (
    <form aria-labelledby={form} onSubmit={submit} className="mt-1 flex flex-col gap-2 border-t p-2">
      <p id={form} className="text-xs font-medium text-dim">
        {t("usage.range_custom")}
      </p>
      <div className="grid grid-cols-2 gap-2">
        <Field label={t("usage.from")}>
          {(control) => (
            <Input {...control} type="date" value={first} onChange={(event) => setFirst(event.target.value)} />
          )}
        </Field>
        <Field label={t("usage.to")}>
          {(control) => (
            <Input {...control} type="date" value={last} onChange={(event) => setLast(event.target.value)} />
          )}
        </Field>
      </div>
      {wrong && (
        <p role="alert" className="text-xs text-danger">
          {t("usage.range_wrong")}
        </p>
      )}
      <Button type="submit" size="sm" disabled={wrong || (first === "" && last === "")}>
        {t("usage.range_take")}
      </Button>
    </form>
  );
}
