// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { type ReactNode, Suspense } from "react";
import { expect, it, vi } from "vitest";
import { queries } from "@/lib/api/queries";
import type { TraceOpening } from "@/lib/api/trace-overview";
import { rowsQuery } from "./use-rows";
import { type Opening, useOpening } from "./use-trace";

const REF = { project: "p", agent: "a", session: "session-1" };
const FILE = { index: 1, date: "2026-01-01", bytes: 20, lines: 1 };

function opened(title: string): TraceOpening {
  return {
    overview: { session_id: REF.session, title, imported: false, files: [FILE], state: "idle" },
    rows: { index: 1, window: 0, page: { total: 1, records: [{ line: 1, error: "not JSON" }] } },
    linked: { index: 1, line: 1, page: { total: 1, records: [] } },
  };
}

function use(client: QueryClient, opening: Opening, drawn = () => {}) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <Suspense>{children}</Suspense>
    </QueryClientProvider>
  );
  const look = () => {
    useOpening(REF, opening);
    drawn();
  };
  return renderHook(look, { wrapper });
}
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
const overview = (client: QueryClient) => client.getQueryData<{ title: string }>(queries.traceOverview(REF).queryKey);

it("what comes with the page is there for the first drawing, also when that begins again with another client", () => {
  const opening = { text: JSON.stringify(opened("first")) };
  for (const client of [new QueryClient(), new QueryClient()]) {
    use(client, opening);
    expect(overview(client)?.title).toBe("first");
    expect(client.getQueryData(rowsQuery({ ...REF, index: 1 }, FILE, 0).queryKey)).toMatchObject({ total: 1 });
    expect(client.getQueryData(queries.traceRow({ ...REF, index: 1 }, 1).queryKey)).toMatchObject({ total: 1 });
  }
});

it("a page that comes back does not put what is old over what is known since", () => {
  const client = new QueryClient();
  const opening = { text: JSON.stringify(opened("old")) };
  use(client, opening).unmount();
  client.setQueryData(queries.traceOverview(REF).queryKey, opened("new").overview);
  use(client, opening);
  expect(overview(client)?.title).toBe("new");
});

it("what follows behind the page is waited for; when it never comes, the page asks by itself", async () => {
  const client = new QueryClient();
  let arrive = (_: string | null) => {};
  const later = new Promise<string | null>((resolve) => {
    arrive = resolve;
  });
  await act(async () => void use(client, { later }));
  expect(overview(client)).toBeUndefined();
  arrive(JSON.stringify(opened("late")));
  await act(settled);
  expect(overview(client)?.title).toBe("late");

  const other = new QueryClient();
  const broken = Promise.reject<string | null>(new Error("the connection broke"));
  const drawn = vi.fn();
  await act(async () => void use(other, { later: broken }, drawn));
  await act(settled);
  expect(drawn).toHaveBeenCalled();
  expect(overview(other)).toBeUndefined();
});
