"use client";
import { useState } from "react";
import type { Result } from "@/lib/api/client";
import type { DetectModelsBody, ModelEntryBody } from "@/lib/api/model-bodies";
import type { DetectResult, ListedModel, LocalServer, ModelRef, ModelsView } from "@/lib/api/schemas";
import type { Catalog, CatalogModel, Vendor } from "@/lib/model/catalog";
import { isKey } from "@/lib/model/limits";
import { CLIENT_TYPES, type ClientType } from "@/lib/model/protocol";
import { type Draft, type DraftErrors, draftOfPick, emptyDraft, entryOfDraft, hostOf, samePair } from "./draft";
import type { Models } from "./use-models";

export interface Offer extends ListedModel {
  /** What the catalog knows of it. */
  known?: CatalogModel;
  /** It is in the table already. */
  present: boolean;
}

/** Which kind of place was chosen: a vendor's id, a local server's address, or any other endpoint. */
export type Place = { kind: "vendor"; vendor: Vendor } | { kind: "local"; server: LocalServer } | { kind: "other" };

const OTHER: Place = { kind: "other" };

/** Everything the "add" dialog knows. Pure state; the server is asked by `models`. */
export function useAddModels(view: ModelsView, catalog: Catalog, models: Pick<Models, "detect">, first: Place = OTHER) {
  const [place, setPlace] = useState<Place>(first);
  const [where, setWhere] = useState<Draft>(() => whereOf(first, catalog));
  const [detected, setDetected] = useState<Result<DetectResult> | null>(() => listOf(first));
  const [detecting, setDetecting] = useState(false);
  const [picked, setPicked] = useState<string[]>([]);
  const [details, setDetails] = useState<Partial<Draft>>({});
  const [errors, setErrors] = useState<DraftErrors>({});

  const found = detected?.ok ? detected.data.found : [];
  const protocol = found.find(({ client_type }) => client_type === where.client_type);
  const types: readonly ClientType[] = found.length > 0 ? found.map(({ client_type }) => client_type) : CLIENT_TYPES;
  const knownOf = (id: string) =>
    catalog.models.find((model) => model.provider === where.provider && model.model_id === id);
  const offers = offersOf(view, where, catalog, place, protocol?.models ?? []);
  const keySource = view.models.find(
    (model) =>
      model.provider === where.provider && model.api_key_masked && hostOf(model.address) === hostOf(where.base_url),
  );

  const choose = (next: Place) => {
    setPlace(next);
    setWhere(whereOf(next, catalog));
    setDetected(listOf(next));
    setPicked([]);
    setDetails({});
    setErrors({});
  };
  const change = (part: Partial<Draft>) => {
    setWhere({ ...where, ...part });
    // Another address has other models.
    if (part.base_url !== undefined && place.kind !== "local") setDetected(null);
  };
  const toggle = (id: string) => {
    setPicked(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id]);
    setDetails({});
  };
  const detect = async () => {
    const problems = unaskable(where);
    setErrors(problems);
    if (Object.keys(problems).length > 0) return;
    setDetecting(true);
    const result = await models.detect(questionOf(where));
    setDetecting(false);
    setDetected(result);
    const list = result.ok ? result.data.found : [];
    const best = list.find(({ client_type }) => client_type === where.client_type) ?? list[0];
    if (best) setWhere({ ...where, client_type: best.client_type });
  };

  /** A vendor's own address is left to the catalog: the environment may name another one. */
  const address = place.kind === "vendor" && where.base_url.trim() === place.vendor.bases[0] ? "" : where.base_url;
  const base_url = address === "" ? "" : (protocol?.base_url ?? address);
  const draftOf = (id: string): Draft => {
    const offer = offers.find((one) => one.id === id) ?? { id };
    const draft = draftOfPick({ ...where, base_url }, offer, knownOf(id));
    return picked.length === 1 ? { ...draft, ...details } : draft;
  };
  /** The entries of everything that was picked, or null: `errors` says what is missing. */
  const entries = (): ModelEntryBody[] | null => {
    const made = picked.map((id) => entryOfDraft(draftOf(id), { known: knownOf(id), key_from: refOfModel(keySource) }));
    const bad = made.find((one) => !one.ok);
    const addressless = place.kind !== "vendor" && where.base_url.trim() === "";
    const problems: DraftErrors = {
      ...(bad && !bad.ok ? bad.errors : {}),
      ...(addressless ? { base_url: "models.error_base_url" } : {}),
      ...(picked.length === 0 && !/\S/.test(where.provider) ? { provider: "models.error_provider" } : {}),
    };
    setErrors(problems);
    if (picked.length === 0 || Object.keys(problems).length > 0) return null;
    return made.flatMap((one) => (one.ok ? [one.entry] : []));
  };

  return {
    place,
    where,
    details,
    errors,
    detected,
    detecting,
    types,
    offers,
    picked,
    keySource,
    knownOf,
    choose,
    change,
    toggle,
    detect,
    draftOf,
    entries,
    changeDetails: (part: Partial<Draft>) => setDetails({ ...details, ...part }),
  };
}
export type AddModelsState = ReturnType<typeof useAddModels>;

/** Why an address cannot be asked; {}: it can. */
function unaskable({ base_url, api_key }: Draft): DraftErrors {
  if (!/^https?:\/\/[^\s/]+/i.test(base_url.trim())) return { base_url: "models.error_base_url" };
  const key = api_key.trim();
  return key !== "" && !isKey(key) ? { api_key: "models.error_key" } : {};
}

function questionOf({ provider, base_url, api_key }: Draft): DetectModelsBody {
  return {
    base_url: base_url.trim(),
    ...(provider.trim() ? { provider: provider.trim() } : {}),
    ...(api_key.trim() ? { api_key: api_key.trim() } : {}),
  };
}

const refOfModel = (model: ModelRef | undefined) => model && { provider: model.provider, model_id: model.model_id };

function whereOf(place: Place, catalog: Catalog): Draft {
  const empty = emptyDraft(false);
  if (place.kind === "other") return empty;
  if (place.kind === "local") {
    const { name, base_url, client_type } = place.server;
    return { ...empty, provider: name.toLowerCase().replace(/[^a-z0-9]+/g, "-"), base_url, client_type };
  }
  const { id, bases, client_type } = place.vendor;
  const first = catalog.models.find((model) => model.provider === id);
  return { ...empty, provider: id, base_url: bases[0] ?? "", client_type: first?.client_type ?? client_type };
}

/** A local server was asked already. */
function listOf(place: Place): Result<DetectResult> | null {
  return place.kind === "local" ? { ok: true, data: { found: [place.server], needs_key: false } } : null;
}

/** What the endpoint lists, after what the catalog knows of a vendor's own models. */
function offersOf(view: ModelsView, where: Draft, catalog: Catalog, place: Place, listed: ListedModel[]): Offer[] {
  const { provider } = where;
  const known = place.kind === "vendor" ? catalog.models.filter((model) => model.provider === provider) : [];
  const offer = (model: ListedModel): Offer => ({
    ...model,
    known: known.find(({ model_id }) => model_id === model.id),
    present: view.models.some((one) => samePair(one, { provider: provider.trim(), model_id: model.id })),
  });
  const first = known
    // A list that came from the endpoint is the truth about what this key may use.
    .filter(({ model_id }) => listed.length === 0 || listed.some(({ id }) => id === model_id))
    .map(({ model_id, name }) => offer({ id: model_id, display_name: name }));
  const rest = listed.filter(({ id }) => !first.some((one) => one.id === id)).map(offer);
  return [...first, ...rest];
}
