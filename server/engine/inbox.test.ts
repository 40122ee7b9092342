import { expect, it } from "vitest";
import { Inbox } from "./inbox";

const text = (id: string, images: string[] = []) => ({ id, text: `say ${id}`, images });

it("delivers each message once, as a steering block followed by its images", () => {
  const inbox = new Inbox();
  inbox.push({ ...text("a", ["data:image/png;base64,x"]), author: "ann" });
  inbox.push(text("b"));
  const payloads = inbox.deliver().map((message) => message.payload);
  expect(payloads.map((payload) => payload.type)).toEqual(["text", "image_url", "text"]);
  expect(payloads[0]).toMatchObject({
    text: "[user_steering]\nsay a\n[/user_steering]",
    author: "ann",
    client_id: "a",
  });
  expect(inbox.deliver()).toEqual([]);
});

it("a recalled message is not delivered; a delivered one cannot be recalled", () => {
  const inbox = new Inbox();
  inbox.push(text("a"));
  inbox.push(text("b"));
  expect(inbox.recall("a")).toMatchObject({ id: "a" });
  expect(inbox.recall("a")).toBeNull();
  expect(inbox.deliver()).toHaveLength(1);
  expect(inbox.recall("b")).toBeNull();
});

it("takes nothing once it is closed, and gives back what was never delivered", () => {
  const inbox = new Inbox();
  inbox.push(text("a"));
  inbox.close();
  expect(inbox.push(text("b"))).toBe(false);
  expect(inbox.drain().map((item) => item.id)).toEqual(["a"]);
  expect(inbox.items).toEqual([]);
});
