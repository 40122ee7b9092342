"use client";
import { useQuery } from "@tanstack/react-query";
import { Banner } from "@/components/ui/banner";
import { useErrorText, useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { failureFrom } from "@/lib/api/client";
import { shareQueries } from "./share-queries";

/** Who read a link, newest first. */
export function Readers({ project, id }: { project: string; id: string }) {
  const t = useT();
  const words = useErrorText();
  const { data, error, isPending } = useQuery(shareQueries.reads(project, id));
  if (error) return <Banner tone="danger">{words(failureFrom(error))}</Banner>;
  if (isPending) return <SkeletonLines lines={2} label={t("common.loading")} className="mt-2" />;
  return (
    <ul className="mt-2 max-h-48 overflow-y-auto rounded-md bg-sunken px-3 py-1.5 text-xs">
      {data.map(({ at, by, device }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a log, shown as it was read
        <li key={i} className="flex flex-wrap gap-x-3 py-0.5">
          <span className={by ? "font-mono" : "text-dim"}>{by ?? t("share.somebody")}</span>
          {device && <span className="text-dim">{device}</span>}
          <Time at={at} className="text-dim" />
        </li>
      ))}
    </ul>
  );
}
