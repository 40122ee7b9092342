import { type APIRequestContext, expect } from "@playwright/test";
import type { FakeProvider } from "./provider";

/** Two models of the scripted provider; the first is the default. */
export async function useFakeModels(api: APIRequestContext, provider: FakeProvider): Promise<void> {
  const entry = (model_id: string) => ({
    provider: "fake",
    model_id,
    base_url: provider.url,
    api_key: "sk-test-000000",
  });
  const body = {
    models: [entry("fake-1"), entry("fake-2")],
    default_model: { provider: "fake", model_id: "fake-1" },
  };
  expect((await api.put("/api/projects/default_project/models", { data: body })).status()).toBe(200);
}

/** The Project as it was: other tests talk to the demo model. */
export async function forgetModels(api: APIRequestContext): Promise<void> {
  const body = { models: [], default_model: null };
  expect((await api.put("/api/projects/default_project/models", { data: body })).status()).toBe(200);
}

/** Ends what other tests left waiting in the Project. */
export async function stopWhatWaits(api: APIRequestContext): Promise<void> {
  const { approvals } = await (await api.get("/api/projects/default_project/approvals")).json();
  for (const { agent, session_id } of approvals) {
    await api.post(`/api/projects/default_project/agents/${agent}/sessions/${session_id}/abort`, { data: {} });
  }
}

/** The texts of a request to the model, without the system prompt, in order. */
export function textsOf({ messages }: { messages: { role: string; content?: unknown }[] }): string[] {
  return messages
    .filter(({ role }) => role !== "system")
    .flatMap(({ content }) =>
      Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "") : [String(content)],
    );
}

export const execCommand = (id: string, cmd: string) => ({
  id,
  name: "exec_command",
  arguments: JSON.stringify({ description: "run it", cmd }),
});
