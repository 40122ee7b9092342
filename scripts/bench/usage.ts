/** Counting usage at size: one large Trace cold, warm and grown, and a Project of many files. */
import { appendFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import { usageQuery } from "../../lib/api/usage";
import { Audit } from "../../server/audit";
import { layout } from "../../server/paths";
import { TomlFiles } from "../../server/toml-file";
import { TraceStore } from "../../server/trace/store";
import { UsageFile } from "../../server/trace/usage-scan";
import { BudgetConfig } from "../../server/usage/budget-config";
import { Budgets } from "../../server/usage/budgets";
import { UsageCalls } from "../../server/usage/calls";
import { Deletions } from "../../server/usage/deletions";
import { Usage } from "../../server/usage/usage";
import { measured, REF, sid, writeTrace } from "./traces";

/** `<data root>\n<bytes per Request>` -> a Trace of 200 MB. */
export function generateUsage(argument: string) {
  const [root = "", perRequest = "0"] = argument.split("\n");
  return writeTrace(root, sid(1), { bytes: 200e6, perRequest: Number(perRequest) });
}
/** `<data root>` -> 1 GB in 2,000 files. */
export function generateUsageLibrary(root: string, files = 2_000) {
  let bytes = 0;
  for (let n = 0; n < files; n++) bytes += writeTrace(root, sid(n), { bytes: 500e3, perRequest: 20_000 }).bytes;
  return { bytes };
}

function stateOf(path: string) {
  const { size, mtimeMs, ino, birthtimeMs } = statSync(path);
  return { path, bytes: size, mtime_ms: mtimeMs, ino, birth_ms: birthtimeMs };
}

/** Appends a megabyte that was in it already; the file is cut back by whoever made it. */
function grow(path: string): void {
  const fd = openSync(path, "r");
  const piece = Buffer.alloc(1_000_000);
  readSync(fd, piece, 0, piece.length, 0);
  closeSync(fd);
  appendFileSync(path, piece.subarray(0, piece.lastIndexOf(10) + 1));
}

export async function usageOfFile(path: string) {
  const file = new UsageFile();
  let requests = 0;
  const cold = await measured(async () => {
    requests = (await file.of(stateOf(path))).requests.filter(({ tokens }) => tokens).length;
  });
  const warm = await measured(() => file.of(stateOf(path)));
  grow(path);
  const grown = await measured(() => file.of(stateOf(path)));
  return { ...cold, requests, warm_ms: warm.ms, grown_ms: grown.ms };
}

export async function usageOfLibrary(root: string) {
  const disk = layout(root);
  const usage = new Usage({
    calls: new UsageCalls(disk),
    traces: new TraceStore(disk),
    agents: { list: async () => [{ id: REF.agent, name: REF.agent }] },
    models: { view: async () => ({ models: [] }) },
    users: { get: async () => null },
    secret: "",
  });
  let requests = 0;
  const ask = async () => {
    const view = await usage.view(REF.project, "ann", usageQuery.parse({ range: "all" }));
    requests = view.totals.range.requests;
  };
  const cold = await measured(ask);
  const warm = await measured(ask);
  return { ...cold, requests, warm_ms: warm.ms, warm_delay_ms: warm.delay_ms };
}

const PRICE = { cache_read: 1e-9, cache_write: 1e-9, output: 1e-9 };

/** What a hard budget costs before each call, with all Sessions below this root; the first look at them is not in it. */
export async function budgetOfLibrary(root: string) {
  const disk = layout(root);
  const model = { provider: "p", model_id: "m", pricing: PRICE };
  const config = new BudgetConfig(disk, new TomlFiles());
  await config.put(REF.project, [
    { scope: { kind: "project" }, period: "month", kind: "hard", limit_usd: 1e6, tz: "UTC" },
  ]);
  const budgets = new Budgets({
    config,
    calls: new UsageCalls(disk),
    deletions: new Deletions(disk, new Audit(disk)),
    agents: { list: async () => [{ id: REF.agent, name: REF.agent }] },
    models: { view: async () => ({ models: [model] }) },
    members: { list: async () => [] },
    users: { get: async () => null, admins: async () => [] },
  });
  const session = sid(0);
  const path = disk.traceFile(REF, "2026-01-05", session, 1);
  const spender = { ...REF, session, user: "ann", model, aside: false };
  const ask = async () => {
    const verdict = await budgets.check(spender, () => 1_000);
    if (!verdict.ok) throw new Error(verdict.message);
    verdict.done();
  };
  await ask();
  const each: number[] = [];
  for (let call = 0; call < 50; call++) {
    // The call before this one is on record now.
    appendFileSync(
      path,
      `{"timestamp":"2026-01-05T10:00:00.000Z","type":"event_msg","payload":{"type":"request_begin"}}\n`,
    );
    const start = performance.now();
    await ask();
    each.push(performance.now() - start);
  }
  each.sort((a, b) => a - b);
  return { ms: each[5] ?? 0 };
}
