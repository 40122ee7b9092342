"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { failureFrom, type Result, send } from "@/lib/api/client";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { ModelEntryBody, ModelRef, ModelsView, ModelTestResult } from "@/lib/api/schemas";
import { entryOf, samePair } from "./draft";

interface Change {
  /** Added, or put in the place of the entry with the same pair. */
  put?: ModelEntryBody;
  remove?: ModelRef;
  makeDefault?: ModelRef;
}

/** The models of a Project, and changes to the table. The table is read again before each change: others edit it too. */
export function useModels(project: string) {
  const cache = useQueryClient();
  const query = queries.models(project);
  const models = useQuery(query);

  const change = async (change: Change): Promise<Result<ModelsView>> => {
    const fresh = await send<ModelsView>("GET", routes.models(project));
    if (!fresh.ok) return fresh;
    const result = await send<ModelsView>("PUT", routes.models(project), nextTable(fresh.data, change));
    if (result.ok) cache.setQueryData(query.queryKey, result.data);
    return result;
  };
  return {
    view: models.data,
    pending: models.isPending,
    failure: models.error ? failureFrom(models.error) : null,
    retry: () => void models.refetch(),
    change,
    test: (entry: ModelEntryBody) => send<ModelTestResult>("POST", routes.modelTest(project), entry),
  };
}

/** The body of PUT: the whole table with one change. The demo model is not a part of it. */
export function nextTable(view: ModelsView, { put, remove, makeDefault }: Change) {
  const stays = (model: ModelRef) => !(put && samePair(model, put)) && !(remove && samePair(model, remove));
  const real = view.models.filter((model) => !model.demo);
  const models = real.flatMap((model) => (stays(model) ? [entryOf(model)] : put && samePair(model, put) ? [put] : []));
  if (put && !real.some((model) => samePair(model, put))) models.push(put);
  const gone = remove && view.default_model && samePair(view.default_model, remove);
  return {
    models,
    ...(makeDefault ? { default_model: { provider: makeDefault.provider, model_id: makeDefault.model_id } } : {}),
    ...(gone ? { default_model: null } : {}),
  };
}
