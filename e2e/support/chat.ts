/** What a person does in a conversation. */
import { expect, type Locator, type Page } from "@playwright/test";

export const messageBox = (page: Page): Locator => page.getByRole("textbox", { name: "Message" });
export const transcript = (page: Page): Locator => page.getByRole("log", { name: "Conversation" });
export const allow = (page: Page): Locator => page.getByRole("button", { name: /^Allow/ });
export const stop = (page: Page): Locator => page.getByRole("button", { name: "Stop" });

/** Starts a conversation with its first message; resolves with the Session id. */
export async function startConversation(page: Page, text: string): Promise<string> {
  await page.goto("/p/default_project/a/default_agent/new");
  await send(page, text);
  await page.waitForURL(/\/s\/session-/);
  return sessionOf(page);
}

export function sessionOf(page: Page): string {
  const id = new URL(page.url()).pathname.split("/").at(-1);
  if (!id) throw new Error(`no Session in ${page.url()}`);
  return id;
}

export async function send(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await messageBox(page).press("Enter");
  await expect(messageBox(page)).toHaveValue("");
}

/** The Task has ended: the button says Send again. */
export async function idle(page: Page): Promise<void> {
  await expect(stop(page)).toHaveCount(0, { timeout: 30_000 });
}
