"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { useT } from "@/components/ui/language";
import { SkeletonLines } from "@/components/ui/skeleton";
import { failureFrom } from "@/lib/api/client";
import { routes, type SessionRef } from "@/lib/api/routes";
import type { CreateShareBody, MadeShare, ShareChoice, SharePreview } from "@/lib/api/share";
import { useChange } from "../team/use-change";
import { ChooseStep } from "./choose-step";
import { LinkList } from "./link-list";
import { MadeStep } from "./made-step";
import { PreviewStep, type Terms } from "./preview-step";
import { shareQueries } from "./share-queries";

interface ShareDialogProps {
  sessionRef: SessionRef;
  title: string;
  opener: HTMLElement | null;
  onClose: () => void;
}

type Step =
  | { at: "choose" }
  | { at: "preview"; choice: ShareChoice; preview: SharePreview }
  | { at: "made"; link: string };

/** From choosing turns over the page as readers see it to the link, which is shown once. */
export function ShareDialog({ sessionRef, title, opener, onClose }: ShareDialogProps) {
  const t = useT();
  const client = useQueryClient();
  const { data, error, isPending } = useQuery(shareQueries.session(sessionRef));
  const { busy, failure, change, forget } = useChange();
  const [choice, setChoice] = useState<ShareChoice>(() => ({
    title: title.slice(0, 120),
    turns: [],
    tools: false,
    thinking: false,
    names: false,
    paths: false,
    hide: [],
  }));
  const [step, setStep] = useState<Step>({ at: "choose" });
  const go = (next: Step) => {
    forget();
    setStep(next);
  };

  const preview = async () => {
    const result = await change<SharePreview>("POST", routes.sharePreview(sessionRef), choice);
    if (result.ok) go({ at: "preview", choice, preview: result.data });
  };
  const create = async ({ at, digest }: SharePreview, terms: Terms) => {
    const body: CreateShareBody = { ...choice, ...terms, at, digest };
    const result = await change<MadeShare>("POST", routes.sessionShares(sessionRef), body);
    if (!result.ok) return;
    void client.invalidateQueries({ queryKey: ["shares", sessionRef.project] });
    go({ at: "made", link: new URL(result.data.path, location.origin).href });
  };

  const failed = failure ?? (error ? failureFrom(error) : null);
  const heading = { choose: "share.title", preview: "share.preview_title", made: "share.made_title" } as const;
  const lead = { choose: t("share.lead"), preview: undefined, made: t("share.made_lead") }[step.at];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(heading[step.at])}
      description={lead}
      opener={opener}
      className={step.at === "made" ? undefined : "max-w-3xl"}
    >
      <div className="flex flex-col gap-4">
        <Failure failure={failed} />
        {isPending && <SkeletonLines lines={5} label={t("common.loading")} />}
        {data && step.at === "choose" && (
          <>
            <ChooseStep
              turns={data.turns}
              choice={choice}
              busy={busy}
              onChange={setChoice}
              onClose={onClose}
              onPreview={() => void preview()}
            />
            {data.links.length > 0 && (
              <section aria-label={t("share.links")} className="flex flex-col gap-2">
                <h3 className="text-sm font-semibold">{t("share.links")}</h3>
                <div className="rounded-lg border">
                  <LinkList project={sessionRef.project} links={data.links} />
                </div>
              </section>
            )}
          </>
        )}
        {data && step.at === "preview" && (
          <PreviewStep
            preview={step.preview}
            may={data.may}
            busy={busy}
            onBack={() => go({ at: "choose" })}
            onCreate={(terms) => void create(step.preview, terms)}
          />
        )}
        {step.at === "made" && <MadeStep link={step.link} onClose={onClose} />}
      </div>
    </Dialog>
  );
}
