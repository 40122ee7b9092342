"use client";
import { useCallback, useEffect, useState } from "react";
import type { CreateSessionBody, ModelsView, ModelView } from "@/lib/api/schemas";

/** What a person chose for the conversation to come; what is absent is the Project's default. */
export type Settings = Pick<CreateSessionBody, "model" | "approval_mode" | "thinking_level"> & {
  /** Absolute path on the server; absent: a temporary Workspace. */
  workspace?: string;
};

/** Kept while the browser tab lives, so that a reload or another Agent does not lose the choices. */
export function useSettings(project: string): [Settings, (next: Settings) => void] {
  const key = `penguin:new:${project}`;
  const [settings, set] = useState<Settings>({});
  useEffect(() => set(read(key)), [key]);
  const change = useCallback(
    (next: Settings) => {
      set(next);
      try {
        sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Storage is blocked: the choice lasts as long as the page.
      }
    },
    [key],
  );
  return [settings, change];
}

function read(key: string): Settings {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

/** The model a message would go to: the chosen one while it exists, else the default, else the only offer. */
export function chosenModel(models: ModelsView, settings: Settings): ModelView | null {
  const find = (ref: { provider: string; model_id: string } | null | undefined) =>
    ref && models.models.find((model) => model.provider === ref.provider && model.model_id === ref.model_id);
  return find(settings.model) ?? find(models.default_model) ?? models.models.find((model) => model.is_default) ?? null;
}
