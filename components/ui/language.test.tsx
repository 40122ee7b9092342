// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

type Module = typeof import("./language");
const seen: string[] = [];

afterEach(cleanup);
beforeEach(() => {
  seen.length = 0;
  // A page of its own: no words are known yet.
  vi.resetModules();
});

function Shown({ of: { useLanguage, useT } }: { of: Module }) {
  const t = useT();
  const [, setLanguage] = useLanguage();
  seen.push(t("common.save"));
  return (
    <button type="button" onClick={() => setLanguage("zh")}>
      {t("common.save")}
    </button>
  );
}
const json = (word: string) => JSON.stringify({ "common.save": word });

it("a page shows the words it was sent, and all words of the other language once it is chosen", async () => {
  const language: Module = await import("./language");
  render(
    <language.LanguageProvider initial="en">
      <language.WordsSent language="en" words={{ shell: json("Save it") }}>
        <Shown of={language} />
      </language.WordsSent>
    </language.LanguageProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Save it" }));
  expect(await screen.findByRole("button", { name: "保存" }, { timeout: 20_000 })).toBeTruthy();
  expect(new Set(seen)).toEqual(new Set(["Save it", "保存"]));
  expect(document.documentElement.lang).toBe("zh");
});

it("a page whose words came in another language waits for all words instead of showing keys", async () => {
  const language: Module = await import("./language");
  await act(async () => {
    render(
      <Suspense>
        <language.LanguageProvider initial="en">
          <language.WordsSent language="zh" words={{ shell: json("保存") }}>
            <Shown of={language} />
          </language.WordsSent>
        </language.LanguageProvider>
      </Suspense>,
    );
  });
  expect(await screen.findByRole("button", { name: "Save" }, { timeout: 20_000 })).toBeTruthy();
  expect(new Set(seen)).toEqual(new Set(["Save"]));
});
