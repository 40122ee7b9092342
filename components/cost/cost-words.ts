/** What a sum of costs says: the amount, and what in it is not a plain fact. Pure. */
import type { T } from "@/components/ui/language";
import type { CostSum, UsageRequestRow } from "@/lib/api/usage";
import { CERTAINTIES, type Certainty } from "@/lib/api/usage-values";
import { money } from "@/lib/format";

export interface CostWords {
  /** An amount, or "free", "no price", "unknown"; "–" when there is no Request. */
  main: string;
  /** The amount is not the whole: something in it has no price or is not known. */
  partial: boolean;
  notes: { certainty: Certainty; text: string }[];
}

/** How many Requests of each certainty there are, those without any left out. */
export function certainties(sum: CostSum): { certainty: Certainty; requests: number; usd: number | null }[] {
  return CERTAINTIES.map((certainty) => {
    const part = sum[certainty];
    return { certainty, requests: part.requests, usd: "usd" in part ? part.usd : certainty === "free" ? 0 : null };
  }).filter(({ requests }) => requests > 0);
}

/** Never 0 for what is not known: a missing price and missing usage are said beside the amount. */
export function costWords(t: T, sum: CostSum): CostWords {
  const present = certainties(sum);
  if (present.length === 0) return { main: "–", partial: false, notes: [] };
  const only = present.length === 1 ? present[0]?.certainty : undefined;
  if (only === "free" || only === "unpriced" || only === "unknown")
    return { main: t(`usage.only_${only}`), partial: false, notes: [] };
  const amounts = sum.stamped.requests + sum.today.requests + sum.estimated.requests + sum.free.requests;
  const partial = sum.unpriced.requests + sum.unknown.requests > 0;
  return {
    main: amounts > 0 ? money(sum.usd) : t("usage.only_unpriced"),
    partial: partial && amounts > 0,
    notes: present.flatMap(({ certainty, requests, usd }) => {
      if (certainty === "stamped" || certainty === "free") return [];
      // Nothing has a price: the main word says so.
      if (certainty === "unpriced" && amounts === 0) return [];
      const amount = usd === null ? "" : money(usd);
      return [{ certainty, text: t(`usage.note_${certainty}`, { count: requests, amount }) }];
    }),
  };
}

/** All of it as one text, for labels, tables and tooltips. */
export function costText(t: T, sum: CostSum): string {
  const { main, notes } = costWords(t, sum);
  return [main, ...notes.map(({ text }) => text)].join(" · ");
}

/** The cost of one Request and how sure it is. */
export function requestCostWords(t: T, { certainty, usd }: Pick<UsageRequestRow, "certainty" | "usd">): CostWords {
  switch (certainty) {
    case "free":
    case "unpriced":
    case "unknown":
      return { main: t(`usage.only_${certainty}`), partial: false, notes: [] };
    case "stamped":
      return { main: usd === null ? t("usage.only_unpriced") : money(usd), partial: false, notes: [] };
    default:
      return {
        main: usd === null ? t("usage.only_unpriced") : money(usd),
        partial: false,
        notes: [{ certainty, text: t(`usage.mark_${certainty}`) }],
      };
  }
}
