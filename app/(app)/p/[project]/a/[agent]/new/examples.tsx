"use client";
import { ArrowUpLeft } from "lucide-react";
import { useT } from "@/components/ui/language";

const EXAMPLES = ["start.example_file", "start.example_look", "start.example_count", "start.example_system"] as const;

/** First things to try. Picking one fills the box and sends nothing. */
export function Examples({ onPick }: { onPick: (text: string) => void }) {
  const t = useT();
  return (
    <section aria-labelledby="examples" className="mt-6">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-2">
        <h3 id="examples" className="text-xs font-medium text-dim">
          {t("start.examples")}
        </h3>
        <p className="text-xs text-faint">{t("start.examples_hint")}</p>
      </div>
      <ul className="grid gap-2 sm:grid-cols-2">
        {EXAMPLES.map((key) => (
          <li key={key}>
            <button
              type="button"
              onClick={() => onPick(t(key))}
              className="group flex h-full w-full items-start gap-2 rounded-lg border bg-surface px-3 py-2.5 text-left text-sm text-dim transition-colors duration-120 hover:border-line-strong hover:bg-hover hover:text-ink"
            >
              <span className="min-w-0 flex-1">{t(key)}</span>
              <ArrowUpLeft className="mt-0.5 size-4 shrink-0 text-faint" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
