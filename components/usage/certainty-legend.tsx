"use client";
import { CertaintyIcon } from "@/components/cost/cost-figure";
import { certainties } from "@/components/cost/cost-words";
import { useT } from "@/components/ui/language";
import { Tooltip } from "@/components/ui/tooltip";
import type { CostSum } from "@/lib/api/usage";
import { money, shortCount } from "@/lib/format";
import { FigureLink } from "./figure-link";

/** How sure the cost of a range is: its parts by certainty, each with its meaning, each opening to its Requests. */
export function CertaintyLegend({ sum }: { sum: CostSum }) {
  const t = useT();
  const parts = certainties(sum);
  if (parts.length === 0) return null;
  return (
    <section aria-label={t("usage.certainty")} className="rounded-lg border bg-surface px-4 py-3">
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-xs">
        <dt className="text-dim">{t("usage.certainty")}</dt>
        {parts.map(({ certainty, requests, usd }) => (
          <dd key={certainty} className="flex items-center gap-1.5">
            <CertaintyIcon certainty={certainty} className="size-3.5 text-dim" />
            <Tooltip text={t(`usage.about_${certainty}`)}>
              <span>
                <FigureLink
                  rows={{ certainty }}
                  label={t("usage.open_certainty", { count: requests, name: t(`usage.certainty_${certainty}`) })}
                >
                  {t(`usage.certainty_${certainty}`)}
                </FigureLink>
              </span>
            </Tooltip>
            <span className="tabular text-dim">
              {usd !== null && certainty !== "free" && <span className="mr-1.5 text-ink">{money(usd)}</span>}
              {certainty === "unpriced" && t("usage.tokens_of", { count: shortCount(sum.unpriced.tokens) })}{" "}
              {t("usage.requests_of", { count: requests })}
            </span>
          </dd>
        ))}
      </dl>
    </section>
  );
}
