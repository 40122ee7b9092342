// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { type ComponentType, lazy, Suspense } from "react";
import { afterEach, expect, it } from "vitest";
import { behind } from "./behind";

afterEach(cleanup);

it("what cannot be had has something else in its place, and comes when it is shown again once the server is back", async () => {
  let away = true;
  let asked = 0;
  const load = async (): Promise<ComponentType<{ text: string }>> => {
    asked += 1;
    if (away) throw new Error("away");
    return ({ text }) => <p>{text}!</p>;
  };
  const code = behind(load, ({ text }) => <p>{text}</p>);
  const Part = lazy(async () => ({ default: await code() }));
  const show = () =>
    render(
      <Suspense>
        <Part text="hello" />
      </Suspense>,
    );
  show();
  await screen.findByText("hello");
  cleanup();
  away = false;
  show();
  await screen.findByText("hello!");
  expect(asked).toBe(3);
});
