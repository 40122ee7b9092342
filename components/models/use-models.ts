"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { failureFrom, type Result, send } from "@/lib/api/client";
import type { DetectModelsBody, ModelEntryBody } from "@/lib/api/model-bodies";
import { queries } from "@/lib/api/queries";
import { routes } from "@/lib/api/routes";
import type { DetectResult, ModelRef, ModelsView, ModelTestResult, ModelUses } from "@/lib/api/schemas";
import type { ThinkingLevel } from "@/lib/omni/message";
import { entryOf, refOf, samePair } from "./draft";

export interface Change {
  /** Added, or put in the place of entries with the same pair. */
  put?: ModelEntryBody[];
  remove?: ModelRef;
  makeDefault?: ModelRef;
  visionModel?: ModelRef | null;
  thinkingLevel?: ThinkingLevel | null;
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
    detect: (body: DetectModelsBody) => send<DetectResult>("POST", routes.modelDetect(project), body),
    uses: ({ provider, model_id }: ModelRef) => send<ModelUses>("GET", routes.modelUses(project, provider, model_id)),
  };
}
export type Models = ReturnType<typeof useModels>;

/** The body of PUT: the whole table with one change. The demo model is not a part of it. */
export function nextTable(
  view: ModelsView,
  { put = [], remove, makeDefault, visionModel, thinkingLevel }: Change,
): { models: ModelEntryBody[]; default_model?: ModelRef | null; vision_model?: ModelRef | null } {
  const real = view.models.filter((model) => !model.demo && !(remove && samePair(model, remove)));
  const models = real.map((model) => put.find((entry) => samePair(entry, model)) ?? entryOf(model));
  models.push(...put.filter((entry) => !real.some((model) => samePair(model, entry))));
  const gone = (ref: ModelRef | null) => ref !== null && remove !== undefined && samePair(ref, remove);
  const blind = (ref: ModelRef | null) => ref && put.some((entry) => samePair(entry, ref) && entry.vision === false);
  const loses = gone(view.vision_model) || blind(view.vision_model);
  return {
    models,
    ...(makeDefault ? { default_model: refOf(makeDefault) } : gone(view.default_model) ? { default_model: null } : {}),
    ...(visionModel !== undefined ? { vision_model: visionModel } : loses ? { vision_model: null } : {}),
    ...(thinkingLevel === undefined ? {} : { thinking_level: thinkingLevel }),
  };
}
