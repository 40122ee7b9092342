"use client";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { places } from "@/lib/api/places";

/** Members of this Project, or everybody on the server: the latter for admins only. */
export function PeopleTabs({ project, here }: { project: string; here: "members" | "everybody" }) {
  const t = useT();
  const tabs = [
    { key: "members", href: places.people(project) },
    { key: "everybody", href: places.everybody(project) },
  ] as const;
  return (
    <nav aria-label={t("people.tabs")} className="-mb-2 flex gap-4 border-b">
      {tabs.map(({ key, href }) => (
        <Link
          key={key}
          href={href}
          aria-current={key === here ? "page" : undefined}
          className={cn(
            "-mb-px flex h-9 items-center border-b-2 border-transparent text-sm text-dim hover:text-ink",
            key === here && "border-accent font-medium text-ink",
          )}
        >
          {t(`people.${key}`)}
        </Link>
      ))}
    </nav>
  );
}
