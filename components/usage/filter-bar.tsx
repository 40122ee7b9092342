"use client";
import { Bot, Cpu, MessageSquare, User, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { useT } from "@/components/ui/language";
import { Select } from "@/components/ui/select";
import type { UsageView } from "@/lib/api/usage";
import { userName } from "./breakdown-rows";
import { isNarrowed } from "./filters";
import { RangePicker } from "./range-picker";
import { useOpenable } from "./use-address";
import { ZonePicker } from "./zone-picker";

const ALL = "all";

/** What is counted: range and zone, model, Agent, person, Session. */
export function FilterBar({ view }: { view: UsageView | undefined }) {
  const t = useT();
  const address = useOpenable();
  if (!address) return null;
  const { filters, set, clear } = address;
  const pick = (key: "model" | "agent" | "user", icon: ReactNode, options: { value: string; label: string }[]) => {
    // Gone from the Project, or written by hand: it still filters, and is still shown.
    const known = filters[key] === "" || options.some(({ value }) => value === filters[key]);
    const all = { value: ALL, label: t(`usage.all_${key}`) };
    const own = known ? [] : [{ value: filters[key], label: filters[key] }];
    return (
      <Select
        look="chip"
        label={t(`usage.by_${key}`)}
        icon={icon}
        value={filters[key] || ALL}
        onChange={(value) => set({ [key]: value === ALL ? "" : value })}
        options={[all, ...options, ...own]}
        className={filters[key] ? "border-accent-line bg-accent-soft text-accent-ink" : undefined}
      />
    );
  };
  const { models = [], agents = [], users = [] } = view?.options ?? {};
  const named = (list: readonly { key: string; label: string }[]) =>
    list.map(({ key, label }) => ({ value: key, label }));
  return (
    <search aria-label={t("usage.filters")} className="flex flex-wrap items-center gap-2">
      <RangePicker view={view} />
      <ZonePicker />
      {pick("model", <Cpu aria-hidden="true" />, named(models))}
      {pick("agent", <Bot aria-hidden="true" />, named(agents))}
      {pick(
        "user",
        <User aria-hidden="true" />,
        users.map((user) => ({ value: user.key, label: userName(t, user) })),
      )}
      {filters.session && (
        <Chip
          icon={<MessageSquare aria-hidden="true" />}
          onRemove={() => set({ session: "" })}
          removeLabel={t("usage.all_session")}
        >
          {sessionTitle(view, filters.session) ?? t("usage.one_session")}
        </Chip>
      )}
      {isNarrowed(filters) && (
        <Button variant="ghost" size="sm" onClick={clear}>
          <X aria-hidden="true" />
          {t("usage.clear_filters")}
        </Button>
      )}
    </search>
  );
}

function sessionTitle(view: UsageView | undefined, key: string): string | null {
  return view?.by.session.rows.find((row) => row.key === key)?.session?.title ?? null;
}
