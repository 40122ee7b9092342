"use client";
import { type KeyboardEvent, useId, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { useT } from "@/components/ui/language";
import { money, shortCount } from "@/lib/format";
import type { AddModelsState, Offer } from "./use-add-models";

/** More rows than anybody reads; the search finds the others. */
const SHOWN = 100;

/** Which of the endpoint's models: searchable, several at once, and any id that is typed. */
export function AddPick({ state }: { state: AddModelsState }) {
  const t = useT();
  const id = useId();
  const [query, setQuery] = useState("");
  const { offers, picked, toggle } = state;
  const typed = query.trim();
  const extra: Offer[] = picked
    .filter((one) => !offers.some((offer) => offer.id === one))
    .map((one) => ({ id: one, present: false }));
  const all = [...extra, ...offers];
  const matching = all.filter(({ id, display_name = "" }) => fits(`${id} ${display_name}`, typed));
  const shown = matching.slice(0, SHOWN);
  const exact = all.some((offer) => offer.id === typed);
  const addTyped = () => {
    toggle(typed);
    setQuery("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // Enter in the search box is not "save".
    event.preventDefault();
    const [only] = matching.filter((offer) => !offer.present);
    if (only && matching.length === 1) toggle(only.id);
    else if (typed !== "" && !exact) addTyped();
  };
  return (
    <fieldset>
      <legend className="mb-1.5 flex w-full items-baseline justify-between text-sm font-medium">
        {t("models.pick")}
        <span aria-live="polite" className="text-xs font-normal text-dim">
          {picked.length > 0 && t("models.picked", { count: picked.length })}
        </span>
      </legend>
      <div className="overflow-hidden rounded-lg border">
        <Input
          aria-label={t("models.pick_search")}
          placeholder={t("models.pick_search")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="rounded-none border-x-0 border-t-0 border-line shadow-none -outline-offset-2"
        />
        <ul className="max-h-60 divide-y overflow-y-auto">
          {shown.map((offer) => (
            <OfferRow
              key={offer.id}
              id={`${id}-${offer.id}`}
              offer={offer}
              checked={picked.includes(offer.id)}
              onToggle={toggle}
            />
          ))}
          {typed !== "" && !exact && (
            <li>
              <button type="button" onClick={addTyped} className="w-full px-3 py-2 text-left text-sm hover:bg-hover">
                {t("models.pick_typed", { id: typed })}
              </button>
            </li>
          )}
        </ul>
        {matching.length > shown.length && (
          <p className="border-t px-3 py-1.5 text-xs text-dim">
            {t("models.pick_more", { count: matching.length - shown.length })}
          </p>
        )}
        {all.length === 0 && typed === "" && <p className="px-3 py-3 text-sm text-dim">{t("models.pick_empty")}</p>}
      </div>
    </fieldset>
  );
}

function fits(text: string, query: string): boolean {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.toLocaleLowerCase().includes(word));
}

interface OfferRowProps {
  id: string;
  offer: Offer;
  checked: boolean;
  onToggle: (id: string) => void;
}

function OfferRow({ id, offer, checked, onToggle }: OfferRowProps) {
  const t = useT();
  const { known, display_name, present } = offer;
  const window = known?.context_window ?? offer.context_window;
  const price = known?.price ?? offer.pricing;
  const name = known?.name ?? display_name;
  return (
    <li className={cn("flex items-start gap-3 px-3 py-2 text-sm", !present && "hover:bg-hover")}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={present}
        onChange={() => onToggle(offer.id)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <label htmlFor={id} className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <code className="min-w-0 break-all font-mono text-sm">{offer.id}</code>
          {name && name !== offer.id && <span className="text-dim">{name}</span>}
          {present && <Badge>{t("models.pick_present")}</Badge>}
        </span>
        <span className="tabular mt-0.5 block text-xs text-dim">
          {[
            window && t("models.window", { tokens: shortCount(window) }),
            price && t("models.price_line", { input: money(price.cache_write), output: money(price.output) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </label>
    </li>
  );
}
