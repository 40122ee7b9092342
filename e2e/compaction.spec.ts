import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { idle, send, startConversation, transcript } from "./support/chat";
import { kindOf, readLines, traceFiles } from "./support/traces";

// The second call is told that there is nothing left to compact.
test.use({ expectedErrors: [/409/] });

test("CP08 compact from the menu: the row tells the summary; a rename keeps it; the next prompt goes on in a new file (TR7)", async ({
  app,
  server,
}) => {
  const session = await startConversation(app, "Hello, what can you do?");
  await idle(app);
  const compact = async () => {
    await app.getByRole("button", { name: "More actions" }).click();
    await app.getByRole("menuitem", { name: /Compact the context/ }).click();
  };
  await compact();
  const row = app.getByRole("button", { name: /Context compacted from/ });
  await expect(row).toBeVisible({ timeout: 20_000 });
  await row.click();
  await expect(transcript(app)).toContainText("asked for by hand");
  await compact();
  await expect(app.getByText("The conversation was just compacted.")).toBeVisible();

  const [first = ""] = traceFiles(server.root, session);
  const before = readFileSync(first);
  await app.getByRole("heading", { level: 1 }).getByRole("button").click();
  await app.getByRole("textbox", { name: "Title" }).fill("Named");
  await app.keyboard.press("Enter");
  await expect.poll(() => traceFiles(server.root, session).length).toBe(2);
  await send(app, "And now?");
  await idle(app);
  const [, second = ""] = traceFiles(server.root, session);
  expect(readFileSync(first).equals(before)).toBe(true);
  const lines = readLines(second);
  expect(lines.map(kindOf).slice(0, 5)).toEqual([
    "session_meta",
    "text/user",
    "session_info",
    "text/user",
    "request_begin",
  ]);
  expect(lines[1]?.payload.text).toContain("[context_summary]");
  await app.reload();
  await expect(app.getByRole("button", { name: /continues from a summary|Context compacted/ }).first()).toBeVisible();
  await expect(transcript(app)).toContainText("And now?");
});
