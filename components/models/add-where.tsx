"use client";
import { ExternalLink, Search, Server } from "lucide-react";
import type { ReactNode } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useT } from "@/components/ui/language";
import type { LocalServer } from "@/lib/api/schemas";
import type { Catalog } from "@/lib/model/catalog";
import { PROTOCOL_NAMES } from "@/lib/model/protocol";
import { ProtocolField } from "./model-fields";
import { FailureBanner } from "./test-result";
import { TextField } from "./text-field";
import type { AddModelsState, Place } from "./use-add-models";

interface AddWhereProps {
  state: AddModelsState;
  catalog: Catalog;
  local: readonly LocalServer[];
}

/** Where the models are: a vendor, a server on this machine, or any other address. */
export function AddWhere({ state, catalog, local }: AddWhereProps) {
  const t = useT();
  const { place, where, errors, change, keySource } = state;
  const form = { draft: where, errors, onChange: change };
  const vendor = place.kind === "vendor" ? place.vendor : undefined;
  return (
    <>
      <Places state={state} catalog={catalog} local={local} />
      {!vendor && (
        <TextField
          {...form}
          name="provider"
          label="models.provider"
          placeholder="openrouter"
          hint={t("models.provider_hint")}
          mono
        />
      )}
      <TextField
        {...form}
        name="base_url"
        label="models.base_url"
        placeholder="https://openrouter.ai/api/v1"
        hint={vendor ? undefined : t("models.base_url_any")}
        mono
      />
      <div className="flex flex-col gap-2">
        <TextField
          {...form}
          name="api_key"
          label="models.api_key"
          placeholder={keySource?.api_key_masked}
          hint={
            keySource
              ? t("models.api_key_shared", { name: keySource.display_name ?? keySource.model_id })
              : vendor
                ? t("models.api_key_env", { name: `${vendor.env}_API_KEY` })
                : t("models.api_key_hint")
          }
          optional
          secret
          mono
        />
        {vendor && !keySource && (
          <a
            href={vendor.keys_url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex w-fit items-center gap-1 text-xs text-accent-ink underline-offset-2 hover:underline"
          >
            {t("models.get_key", { name: vendor.name })}
            <ExternalLink className="size-3" aria-hidden="true" />
          </a>
        )}
      </div>
      <Detection state={state} />
    </>
  );
}

function Places({ state, catalog, local }: AddWhereProps) {
  const t = useT();
  const { place, choose } = state;
  const option = (key: string, chosen: boolean, next: Place, label: ReactNode) => (
    <button
      key={key}
      type="button"
      aria-pressed={chosen}
      onClick={() => choose(next)}
      className={cn(
        "inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm transition-colors duration-120",
        chosen
          ? "border-accent-line bg-accent-soft font-medium text-accent-ink"
          : "border-line bg-surface text-dim hover:border-line-strong hover:text-ink",
      )}
    >
      {label}
    </button>
  );
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t("models.where")}</legend>
      <div className="flex flex-wrap gap-2">
        {catalog.vendors.map((vendor) =>
          option(
            vendor.id,
            place.kind === "vendor" && place.vendor.id === vendor.id,
            { kind: "vendor", vendor },
            vendor.name,
          ),
        )}
        {local.map((server) =>
          option(
            server.base_url,
            place.kind === "local" && place.server.base_url === server.base_url,
            { kind: "local", server },
            <>
              <Server className="size-3.5" aria-hidden="true" />
              {server.name}
            </>,
          ),
        )}
        {option("other", place.kind === "other", { kind: "other" }, t("models.other_endpoint"))}
      </div>
    </fieldset>
  );
}

/** Asks the address what it speaks and what it has. */
function Detection({ state }: { state: AddModelsState }) {
  const t = useT();
  const { where, detected, detecting, types, change, detect } = state;
  const found = detected?.ok ? detected.data.found : [];
  const count = found.find(({ client_type }) => client_type === where.client_type)?.models.length ?? 0;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid items-end gap-3 sm:grid-cols-[auto_1fr]">
        <Button busy={detecting} disabled={detecting} onClick={() => void detect()} className="w-fit">
          {!detecting && <Search aria-hidden="true" />}
          {t("models.detect")}
        </Button>
        <ProtocolField
          value={where.client_type}
          onChange={(client_type) => change({ client_type })}
          types={types.includes(where.client_type) ? types : [where.client_type, ...types]}
        />
      </div>
      <div aria-live="polite" className="empty:hidden">
        {detected && !detected.ok && <FailureBanner failure={detected.error} />}
        {detected?.ok && found.length > 0 && !detected.data.needs_key && (
          <Banner tone="good">
            {t("models.detected", { protocols: found.map((one) => PROTOCOL_NAMES[one.client_type]).join(", ") })}{" "}
            <span className="text-dim">{t("models.detected_models", { count })}</span>
          </Banner>
        )}
        {detected?.ok && detected.data.needs_key && (
          <Banner tone="attention">
            {t("models.needs_key")} <span className="text-dim">{detected.data.message}</span>
          </Banner>
        )}
        {detected?.ok && found.length === 0 && (
          <Banner tone="danger">
            {t("models.nothing_found")} {detected.data.message}
          </Banner>
        )}
      </div>
    </div>
  );
}
