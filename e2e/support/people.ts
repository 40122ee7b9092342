/** Other people than the admin, and what a browser tells a page about the person in front of it. */
import { type Browser, type BrowserContext, type Page, request } from "@playwright/test";

export type SignIn = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** The cookies of a sign-in over the API. */
export async function signInAs(url: string, user: string, password: string): Promise<SignIn> {
  const api = await request.newContext({ baseURL: url });
  const { csrfToken } = await (await api.get("/api/auth/csrf")).json();
  await api.post("/api/auth/callback/credentials", { form: { user, password, csrfToken, json: "true" } });
  const state = await api.storageState();
  await api.dispose();
  return state;
}

/** A second person, signed in, in a browser of their own. */
export async function member(browser: Browser, url: string, user: string, password: string): Promise<Page> {
  const storageState = await signInAs(url, user, password);
  return (await browser.newContext({ baseURL: url, storageState })).newPage();
}

/** The page believes that nobody sees it, or that somebody does again. */
export async function look(page: Page, at: "here" | "elsewhere"): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    at === "here" ? "visible" : "hidden",
  );
}
