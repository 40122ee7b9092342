"use client";
import { useT } from "@/components/ui/language";
import { Explained } from "@/components/ui/scroll-pre";
import { Tooltip } from "@/components/ui/tooltip";
import type { PresentPerson } from "@/lib/api/frames";
import { useConversation } from "./conversation-context";

const SHOWN = 3;

/** Who else looks at this conversation now. */
export function Here({ people }: { people: readonly PresentPerson[] }) {
  const t = useT();
  const { userId } = useConversation();
  const others = people.filter(({ id }) => id !== userId);
  const words = others.length > 0 ? t("chat.also_here", { names: others.map(({ name }) => name).join(", ") }) : "";
  return (
    <>
      {others.length > 0 && (
        <Tooltip text={words} side="bottom">
          <Explained role="img" aria-label={words} className="flex shrink-0 -space-x-1.5">
            {others.slice(0, SHOWN).map(({ id, name }) => (
              <span
                key={id}
                aria-hidden="true"
                className="flex size-6 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-ink ring-1 ring-accent-line ring-inset outline-2 outline-page"
              >
                {name.slice(0, 1).toLocaleUpperCase()}
              </span>
            ))}
            {others.length > SHOWN && <span className="pl-2 text-xs text-dim">+{others.length - SHOWN}</span>}
          </Explained>
        </Tooltip>
      )}
      <span role="status" className="sr-only">
        {words}
      </span>
    </>
  );
}
