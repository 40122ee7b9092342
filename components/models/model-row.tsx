"use client";
import { Ellipsis, Eye, KeyRound, Pencil, Star, Trash2, Zap } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useT } from "@/components/ui/language";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Result } from "@/lib/api/client";
import type { ModelEntryBody } from "@/lib/api/model-bodies";
import type { ModelsView, ModelTestResult, ModelView } from "@/lib/api/schemas";
import { money, shortCount } from "@/lib/format";
import type { CatalogModel } from "@/lib/model/catalog";
import { PROTOCOL_NAMES } from "@/lib/model/protocol";
import { entryOf, refOf } from "./draft";
import { TestResult } from "./test-result";
import type { Change } from "./use-models";

export interface RowActions {
  /** `opener`: where focus goes back to. */
  onEdit: (model: ModelView, opener: HTMLElement | null) => void;
  onRemove: (model: ModelView, opener: HTMLElement | null) => void;
  onChange: (change: Change) => Promise<Result<ModelsView>>;
  onTest: (entry: ModelEntryBody) => Promise<Result<ModelTestResult>>;
}
interface ModelRowProps extends RowActions {
  model: ModelView;
  known?: CatalogModel;
  showAddress: boolean;
  canWrite: boolean;
}

/** One model: what it is, where its key comes from, and what an owner can do with it. */
export function ModelRow({ model, known, showAddress, canWrite, onEdit, onRemove, onChange, onTest }: ModelRowProps) {
  const t = useT();
  const more = useRef<HTMLButtonElement>(null);
  const [testing, setTesting] = useState(false);
  const [outcome, setOutcome] = useState<Result<ModelTestResult> | null>(null);
  const name = model.display_name ?? model.model_id;

  const test = async () => {
    setTesting(true);
    setOutcome(null);
    setOutcome(await onTest(entryOf(model)));
    setTesting(false);
  };
  const change = async (change: Change, done: string) => {
    const result = await onChange(change);
    if (result.ok) toast.success(done);
    else toast.error(result.error.code === "network" ? t("network") : result.error.message);
  };

  return (
    <li className="px-4 py-3">
      <div className="flex min-h-7 items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 truncate font-medium">{name}</span>
            {model.is_default && <Badge tone="accent">{t("models.default")}</Badge>}
            {model.demo && <Badge tone="info">{t("models.demo")}</Badge>}
            {model.is_vision_model && <Badge tone="accent">{t("models.vision_default")}</Badge>}
            {model.vision && (
              <Badge>
                <Eye aria-hidden="true" />
                {t("models.vision")}
              </Badge>
            )}
          </div>
        </div>
        {canWrite && !model.demo && (
          <div className="flex shrink-0 items-center gap-1">
            <Button size="sm" busy={testing} onClick={test}>
              {!testing && <Zap aria-hidden="true" />}
              {t("models.test")}
            </Button>
            <Menu
              align="end"
              trigger={
                <IconButton ref={more} label={t("models.more", { name })} size="sm">
                  <Ellipsis />
                </IconButton>
              }
            >
              {!model.is_default && (
                <MenuItem onSelect={() => void change({ makeDefault: model }, t("models.default_set", { name }))}>
                  <Star aria-hidden="true" />
                  {t("models.make_default")}
                </MenuItem>
              )}
              {!model.is_vision_model && model.vision !== false && (
                <MenuItem onSelect={() => void change({ visionModel: refOf(model) }, t("models.vision_set", { name }))}>
                  <Eye aria-hidden="true" />
                  {t("models.use_for_images")}
                </MenuItem>
              )}
              <MenuItem onSelect={() => onEdit(model, more.current)}>
                <Pencil aria-hidden="true" />
                {t("models.edit")}
              </MenuItem>
              <MenuSeparator />
              <MenuItem danger onSelect={() => onRemove(model, more.current)}>
                <Trash2 aria-hidden="true" />
                {t("common.remove")}
              </MenuItem>
            </Menu>
          </div>
        )}
      </div>
      <Facts model={model} known={known} showAddress={showAddress} />
      {model.demo && <p className="mt-1 text-xs text-dim">{t("models.demo_row")}</p>}
      <div aria-live="polite">{outcome && <TestResult outcome={outcome} className="mt-2" />}</div>
    </li>
  );
}

function Facts({ model, known, showAddress }: Pick<ModelRowProps, "model" | "known" | "showAddress">) {
  const t = useT();
  if (model.demo) {
    return (
      <ul className={FACTS}>
        {model.context_window && <Fact>{t("models.window", { tokens: shortCount(model.context_window) })}</Fact>}
        <Fact>
          <Price model={model} />
        </Fact>
      </ul>
    );
  }
  return (
    <ul className={FACTS}>
      {model.display_name && <Fact code>{model.model_id}</Fact>}
      <Fact>{PROTOCOL_NAMES[model.client_type]}</Fact>
      {showAddress && model.address && <Fact code>{model.address}</Fact>}
      {model.context_window && <Fact>{t("models.window", { tokens: shortCount(model.context_window) })}</Fact>}
      {model.max_tokens && <Fact>{t("models.max_output", { tokens: shortCount(model.max_tokens) })}</Fact>}
      <Fact>
        <Price model={model} />
      </Fact>
      {known && model.from_catalog?.includes("pricing") && (
        <Fact>
          <Source known={known} />
        </Fact>
      )}
      <Fact>
        <Key model={model} />
      </Fact>
    </ul>
  );
}
const FACTS = "mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-dim";

function Fact({ children, code }: { children: ReactNode; code?: boolean }) {
  return <li className={cn("tabular min-w-0 max-w-full truncate", code && "font-mono")}>{children}</li>;
}

/** A model without a price says so; a price of 0 is free. */
function Price({ model: { pricing } }: Pick<ModelRowProps, "model">) {
  const t = useT();
  if (!pricing) return <>{t("models.no_price")}</>;
  if (pricing.cache_write === 0 && pricing.output === 0) return <>{t("models.free")}</>;
  const [input, cached, output] = [pricing.cache_write, pricing.cache_read, pricing.output].map(money);
  return <>{t("models.price_line_cached", { input: input ?? "", cached: cached ?? "", output: output ?? "" })}</>;
}

/** Where the catalog's price was read, and when. */
function Source({ known }: { known: CatalogModel }) {
  const t = useT();
  return (
    <a
      href={known.source}
      target="_blank"
      rel="noreferrer"
      className="underline decoration-line-strong underline-offset-2 hover:text-ink hover:decoration-current"
    >
      {t("models.catalog_source", { date: known.checked })}
    </a>
  );
}

function Key({ model }: { model: ModelView }) {
  const t = useT();
  const icon = <KeyRound className="mr-1 inline size-3 align-[-1px]" aria-hidden="true" />;
  if (model.api_key_masked)
    return (
      <>
        {icon}
        <code className="font-mono">{model.api_key_masked}</code>
        {model.key_created_at && (
          <>
            {" · "}
            {t("models.key_since")} <Time at={model.key_created_at} />
          </>
        )}
      </>
    );
  return (
    <>
      {icon}
      {model.env_key
        ? t("models.key_env", { name: model.env_key })
        : t(model.has_key ? "models.key_set" : "models.no_key")}
    </>
  );
}
