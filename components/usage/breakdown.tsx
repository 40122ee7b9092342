"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import { Tabs } from "@/components/ui/tabs";
import type { UsageView } from "@/lib/api/usage";
import { GROUPS, type UsageGroup } from "@/lib/api/usage-values";
import { rowsOf } from "./breakdown-rows";
import { BreakdownTable } from "./breakdown-table";
import { splitSeries } from "./series";

interface BreakdownProps {
  view: UsageView;
  /** Address of the CSV of one table. */
  csv: (table: UsageGroup) => string;
}

/** The same Requests, told apart by model, Agent, person or Session; each table adds up to the total. */
export function Breakdown({ view, csv }: BreakdownProps) {
  const t = useT();
  const [shown, setShown] = useState<UsageGroup>("model");
  return (
    <section aria-labelledby="usage-breakdown" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="usage-breakdown" className="text-base font-semibold">
          {t("usage.breakdown")}
        </h2>
        <Button asChild size="sm" variant="ghost" className="ml-auto">
          <a href={csv(shown)} download>
            <Download aria-hidden="true" />
            {t("usage.csv_of", { name: t(`usage.by_${shown}`) })}
          </a>
        </Button>
      </div>
      <Tabs
        label={t("usage.breakdown")}
        value={shown}
        onChange={setShown}
        tabs={GROUPS.map((group) => ({
          value: group,
          label: t(`usage.by_${group}`),
          content: <Table view={view} group={group} />,
        }))}
      />
    </section>
  );
}

function Table({ view, group }: { view: UsageView; group: UsageGroup }) {
  const t = useT();
  // The colours of the charts stand beside the names of the split that they show.
  const coloured = group !== "session" && group === view.range.group_by;
  const series = coloured ? splitSeries(t, view, group) : [];
  const looks = new Map(series.map(({ key, look }) => [key, look]));
  return (
    <BreakdownTable
      label={t(`usage.by_${group}`)}
      group={group}
      rows={rowsOf(t, view, group)}
      rest={view.by[group].rest}
      total={view.totals.range}
      looks={looks}
    />
  );
}
