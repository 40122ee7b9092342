"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Banner } from "@/components/ui/banner";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { useT } from "@/components/ui/language";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { SkeletonLines } from "@/components/ui/skeleton";
import type { IsolationSettings, IsolationView } from "@/lib/api/isolation";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import { LoadFailure } from "./load-failure";
import { SettingSwitch } from "./setting-switch";
import { useChange } from "./use-change";

const NETWORKS = ["isolated", "off", "host"] as const;
/** Debian and Ubuntu; Fedora. */
const INSTALL = ["apt install bubblewrap slirp4netns", "dnf install bubblewrap slirp4netns"];

interface IsolationCardProps {
  project: string;
  canWrite: boolean;
}

/** Whether commands are kept apart from the machine, what it lacks for that, and what the Project demands. Saved at once. */
export function IsolationCard({ project, canWrite }: IsolationCardProps) {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(queries.isolation(project));
  const { busy, failure, change } = useChange();
  const save = async (next: Partial<IsolationSettings>) => {
    if (!data) return;
    const { required, network } = { ...data, ...next };
    const result = await change<IsolationView>("PUT", routes.isolation(project), { required, network });
    if (result.ok) client.setQueryData(queries.isolation(project).queryKey, result.data);
  };
  return (
    <Section title={t("isolation.title")} lead={t("isolation.lead")}>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={3} label={t("common.loading")} className="p-4" />}
      {data && (
        <div className="divide-y">
          <div className="px-4 py-3">
            <State {...data} />
          </div>
          <SettingSwitch
            title={t("isolation.required")}
            detail={t("isolation.required_detail")}
            value={data.required}
            states={{ on: t("isolation.state_required"), off: t("isolation.state_free") }}
            busy={busy}
            onChange={canWrite ? (required) => void save({ required }) : undefined}
          />
          <div className="px-4 py-3">
            <Field label={t("isolation.network")} hint={t(`isolation.network_${data.network}_detail`)}>
              {({ id }) => (
                <Select
                  id={id}
                  value={data.network}
                  disabled={!canWrite || busy}
                  onChange={(network) => void save({ network })}
                  options={NETWORKS.map((value) => ({
                    value,
                    label: t(`isolation.network_${value}`),
                    detail: t(`isolation.network_${value}_detail`),
                  }))}
                />
              )}
            </Field>
          </div>
          <p className="px-4 py-3 text-sm text-dim">{t("isolation.trust")}</p>
          <Failure failure={failure} className="px-4 py-3" />
        </div>
      )}
    </Section>
  );
}

/** Isolated or not, and what to do about it. */
function State({ isolated, problem, detail }: IsolationView) {
  const t = useT();
  if (isolated && !problem) return <Banner tone="good">{t("isolation.on")}</Banner>;
  return (
    <Banner tone={isolated ? "info" : "attention"}>
      <p>{t(isolated ? "isolation.on" : "isolation.off")}</p>
      {problem && <p className="mt-1">{t(`isolation.${problem}`)}</p>}
      {problem === "no_bubblewrap" &&
        INSTALL.map((line) => (
          <code key={line} className="mt-1 block font-mono text-xs">
            {line}
          </code>
        ))}
      {detail && <code className="mt-1 block font-mono text-xs wrap-anywhere">{detail}</code>}
    </Banner>
  );
}
