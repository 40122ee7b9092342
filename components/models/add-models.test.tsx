// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { DetectResult, ModelsView, ModelView } from "@/lib/api/schemas";
import { catalog } from "@/lib/model/catalog";
import { AddModels } from "./add-models";
import type { Models } from "./use-models";

afterEach(cleanup);

const view: ModelsView = { default_model: null, vision_model: null, thinking_level: null, models: [] };
const found: DetectResult = {
  needs_key: false,
  found: [
    {
      client_type: "openai-chat",
      base_url: "https://gate.test/v1",
      models: [{ id: "big", context_window: 8192 }, { id: "small" }],
    },
  ],
};

function setup(models: ModelView[] = [], answer: DetectResult = found) {
  const detect = vi.fn<Models["detect"]>(async () => ({ ok: true, data: answer }));
  const change = vi.fn<Models["change"]>(async () => ({ ok: true, data: view }));
  const test = vi.fn<Models["test"]>(async () => ({ ok: true, data: { ok: true, ttft_ms: 12 } }));
  const onClose = vi.fn();
  render(
    <AddModels
      view={{ ...view, models }}
      catalog={catalog()}
      local={[]}
      models={{ detect, change, test }}
      onClose={onClose}
    />,
  );
  return { detect, change, test, onClose };
}
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const click = async (name: string | RegExp, role = "button") => {
  fireEvent.click(screen.getByRole(role, { name }));
  await act(async () => {});
};

describe("the dialog that adds models", () => {
  it("begins in its first field, and one Escape closes it", async () => {
    const { onClose } = setup();
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Provider")), { timeout: 20_000 });
    fireEvent.keyDown(screen.getByLabelText("Provider"), { key: "Escape" });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("refuses to look with a key that no key can be", async () => {
    const { detect } = setup();
    type("Base URL", "https://gate.test/v1");
    type(/^API key/, "sk-one sk-two");
    await click("Find models");
    expect(screen.getByText(/No key looks like this/)).toBeTruthy();
    expect(detect).not.toHaveBeenCalled();
  });

  it("refuses a key that no key can be, before anything is sent", async () => {
    const { change } = setup();
    type("Provider", "gate");
    type("Base URL", "https://gate.test/v1");
    await click("Find models");
    await click(/^big/, "checkbox");
    type(/^API key/, "sk-one sk-two");
    await click("Add model");
    expect(screen.getByText(/No key looks like this/)).toBeTruthy();
    expect(change).not.toHaveBeenCalled();
  });

  it("finds the models of an address, takes several at once, and sends the key once for all", async () => {
    const { detect, change, onClose } = setup();
    type("Provider", "gate");
    type("Base URL", " https://gate.test/ ");
    type(/^API key/, "sk-new");
    await click("Find models");
    expect(detect).toHaveBeenCalledWith({ base_url: "https://gate.test/", provider: "gate", api_key: "sk-new" });
    expect(screen.getByText(/Speaks OpenAI Chat Completions/)).toBeTruthy();
    await click(/^big/, "checkbox");
    await click(/^small/, "checkbox");
    await click("Add 2 models");
    const common = {
      provider: "gate",
      client_type: "openai-chat",
      base_url: "https://gate.test/v1",
      api_key: "sk-new",
    };
    expect(change).toHaveBeenCalledWith({
      put: [
        { ...common, model_id: "big", context_window: 8192, vision: false },
        { ...common, model_id: "small", vision: false },
      ],
      makeDefault: expect.objectContaining({ model_id: "big" }),
    });
    expect(onClose).toHaveBeenCalled();
  });

  it("offers a vendor's models from the catalog without asking anybody, and leaves its facts to the catalog", async () => {
    const { detect, change } = setup();
    await click("Anthropic");
    await click(/claude-opus-5-5/, "checkbox");
    await click("Add model");
    expect(detect).not.toHaveBeenCalled();
    expect(change.mock.calls[0]?.[0].put).toEqual([
      {
        provider: "anthropic",
        model_id: "claude-opus-5-5",
        display_name: "Claude Opus 5.5",
        client_type: "anthropic-messages",
      },
    ]);
  });

  it("uses the key that is stored for the same host, and marks what is there already", async () => {
    const present: ModelView = {
      provider: "gate",
      model_id: "big",
      client_type: "openai-chat",
      base_url: "https://gate.test/v1",
      address: "https://gate.test/v1",
      api_key_masked: "sk-1…9999",
      has_key: true,
      is_default: true,
    };
    const { change } = setup([present]);
    type("Provider", "gate");
    type("Base URL", "https://gate.test/v1");
    await click("Find models");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /^big/ }).disabled).toBe(true);
    await click(/^small/, "checkbox");
    await click("Add model");
    const [sent] = change.mock.calls[0] ?? [];
    expect(sent?.put).toMatchObject([{ model_id: "small", key_from: { provider: "gate", model_id: "big" } }]);
    expect(sent).not.toHaveProperty("makeDefault");
  });

  it("takes an id that is typed, tests it before it is saved, and says when nothing was found", async () => {
    const { test, change } = setup([], { found: [], needs_key: false, message: "A server answers there." });
    type("Provider", "gate");
    type("Base URL", "https://gate.test/v1");
    await click("Find models");
    expect(screen.getByText(/No known protocol was found/)).toBeTruthy();
    type("Search, or type an id", "typed-id");
    fireEvent.keyDown(screen.getByLabelText("Search, or type an id"), { key: "Enter" });
    await click("Test");
    expect(test).toHaveBeenCalledWith(expect.objectContaining({ model_id: "typed-id", provider: "gate" }));
    expect(screen.getByText(/The model answers/)).toBeTruthy();
    type("Input", "many");
    await click("Add model");
    expect(change).not.toHaveBeenCalled();
    expect(screen.getByText(/A number from 0 to/)).toBeTruthy();
  });

  it("an address without a scheme is refused before anybody is asked", async () => {
    const { detect } = setup();
    type("Base URL", "127.0.0.1:9911/v1");
    await click("Find models");
    expect(detect).not.toHaveBeenCalled();
    expect(screen.getByText(/begins with http/)).toBeTruthy();
  });
});
