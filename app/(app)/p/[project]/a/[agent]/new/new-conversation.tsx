"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Composer } from "@/components/chat/composer";
import { startConversation } from "@/components/chat/start-conversation";
import { useCommands } from "@/components/chat/use-commands";
import type { Outgoing, SendResult } from "@/components/chat/use-outgoing";
import { remember } from "@/components/shell/memory";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { useT } from "@/components/ui/language";
import Link from "@/components/ui/link";
import { PageHeader } from "@/components/ui/navigation";
import { places } from "@/lib/api/places";
import { queries } from "@/lib/api/queries";
import type { ModelRef, ModelsView } from "@/lib/api/schemas";
import { Examples } from "./examples";
import { Options } from "./options";
import { chosenModel, useSettings } from "./settings";

interface NewConversationProps {
  project: string;
  agent: string;
  userId: string;
  canWork: boolean;
  /** Are commands kept apart from the machine? null: the server is finding out. */
  isolated: boolean | null;
}

/** The page on which a conversation begins. Nothing exists on the server until the first message is sent. */
export function NewConversation({ project, agent, userId, canWork, isolated }: NewConversationProps) {
  const t = useT();
  const router = useRouter();
  const cache = useQueryClient();
  const agents = useQuery(queries.agents(project));
  const models = useQuery(queries.models(project));
  const [settings, setSettings] = useSettings(project);
  const [example, setExample] = useState<{ id: string; text: string }>();
  const name = agents.data?.find((candidate) => candidate.id === agent)?.name ?? agent;
  useEffect(() => remember("last", `${project}/${agent}`), [project, agent]);

  const chosen = models.data && chosenModel(models.data, settings);
  const commands = useCommands({
    project,
    agent,
    model: useMemo(() => (chosen ? { provider: chosen.provider, model_id: chosen.model_id } : undefined), [chosen]),
    onModel: useCallback((model: ModelRef) => setSettings({ ...settings, model }), [settings, setSettings]),
    onAgent: useCallback((next: string) => router.replace(places.newConversation(project, next)), [router, project]),
  });

  const start = async (message: Outgoing): Promise<SendResult> => {
    const { workspace, ...rest } = settings;
    const wanted = { ...rest, ...(workspace === undefined ? {} : { workspace }) };
    const started = await startConversation({ project, agent, settings: wanted }, message);
    if (!started.ok) return started;
    void cache.invalidateQueries({ queryKey: ["sessions", project] });
    void cache.invalidateQueries({ queryKey: ["status", project] });
    router.push(places.conversation({ project, agent, session: started.session }));
    return { ok: true };
  };

  return (
    <>
      <PageHeader title={t("nav.new_conversation")} />
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center px-4 pt-8 pb-[max(2rem,12vh)] md:px-6">
          <h2 className="text-2xl font-semibold tracking-tight text-balance">{t("start.greeting", { agent: name })}</h2>
          <p className="mt-1.5 mb-6 text-dim">
            {t("start.lead")} {isolated !== null && t(isolated ? "start.isolated" : "start.not_isolated")}
          </p>
          <ModelNotice project={project} models={models.data} settings={settings} />
          <Composer
            draftKey={`${userId}/${project}/new`}
            onSend={start}
            fill={example}
            commands={canWork ? commands : undefined}
            autoFocus
            optionsApart
            blocked={canWork ? undefined : <Banner className="mb-2">{t("start.viewer")}</Banner>}
            options={
              canWork && (
                <Options
                  project={project}
                  agents={agents.data ?? []}
                  agent={agent}
                  onAgent={(next) => router.replace(places.newConversation(project, next))}
                  models={models.data}
                  settings={settings}
                  onChange={setSettings}
                />
              )
            }
          />
          {canWork && <Examples onPick={(text) => setExample({ id: `${Date.now()}`, text })} />}
        </div>
      </div>
    </>
  );
}

interface ModelNoticeProps {
  project: string;
  models: ModelsView | undefined;
  settings: Parameters<typeof chosenModel>[1];
}

/** Says plainly that the demo is a demo, or that there is no model at all. */
function ModelNotice({ project, models, settings }: ModelNoticeProps) {
  const t = useT();
  if (!models) return null;
  const model = chosenModel(models, settings);
  if (model && !model.demo) return null;
  return (
    <Banner
      tone={model ? "info" : "attention"}
      className="mb-3"
      action={
        <Button asChild size="sm">
          <Link href={places.models(project)}>{t("start.add_model")}</Link>
        </Button>
      }
    >
      {model ? (
        <>
          <strong className="font-medium">{t("start.demo_title")}</strong>{" "}
          <span className="text-dim">{t("start.demo_body")}</span>
        </>
      ) : (
        t("start.no_model_body")
      )}
    </Banner>
  );
}
