/** A sum that is kept equals one that is made from nothing, whatever was written, deleted, brought back and priced meanwhile. */
import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Budget } from "../../lib/api/usage";
import { Audit } from "../audit";
import { layout } from "../paths";
import { periodAt } from "./budget-config";
import { UsageCalls } from "./calls";
import { Deletions, deletionLines } from "./deletions";
import type { Ledger } from "./ledger";
import { FRESH_MS, Ledgers } from "./ledgers";
import { Records, sid } from "./testing/records";

const P = "alpha";
const REF = { project: P, agent: "a" };
const BUDGETS: Budget[] = [
  { scope: { kind: "project" }, period: "month", kind: "hard", limit_usd: 1, tz: "UTC" },
  { scope: { kind: "member", user: "mia" }, period: "day", kind: "hard", limit_usd: 1, tz: "Asia/Tokyo" },
  { scope: { kind: "model", provider: "fake", model_id: "m" }, period: "month", kind: "hard", limit_usd: 1, tz: "UTC" },
];

/** A step of this server for one of its Sessions, or of somebody else, after which the time is up. */
const step = fc.record({
  what: fc.constantFrom("spend", "stop", "delete", "cut off", "price", "elsewhere"),
  session: fc.integer({ min: 1, max: 4 }),
  user: fc.constantFrom("ann", "mia"),
  tokens: fc.integer({ min: 1, max: 1_000 }),
  stamped: fc.boolean(),
});

it("US7: kept sums equal a count from nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const root = mkdtempSync(join(tmpdir(), "penguin-ledgers-"));
      const disk = layout(root);
      let clock = Date.parse("2026-07-18T12:00:00Z");
      let price = 1;
      const parts = () => ({
        calls: new UsageCalls(disk),
        deletions: new Deletions(disk, new Audit(disk)),
        agents: { list: async () => [{ id: "a", name: "a" }] },
        models: {
          view: async () => ({
            models: [
              { provider: "fake", model_id: "m", pricing: { cache_read: price, cache_write: price, output: price } },
            ],
          }),
        },
      });
      const made = parts();
      const kept = new Ledgers(made, () => clock);
      const at = (n: number) => disk.traceFile(REF, "2026-07-18", sid(n), 1);
      const atWork = new Set<number>();
      const write = ({ session, what, user, tokens, stamped }: (typeof steps)[number]) => {
        const records = new Records("2026-07-18T12:00:00Z");
        if (!existsSync(at(session))) records.meta(sid(session), { created_by: "ann" }).write(disk, REF, sid(session));
        const next = new Records("2026-07-18T12:00:00Z").prompt("go", user);
        if (what === "stop") next.failed("aborted");
        else next.request(tokens, stamped ? { user, price: { cache_read: 2, cache_write: 3, output: 5 } } : { user });
        appendFileSync(at(session), next.lines.join(""));
      };
      try {
        await kept.whole(P);
        for (const one of steps) {
          atWork.add(one.session);
          if (one.what === "price") price = one.tokens;
          else if (one.what === "delete" || one.what === "cut off") {
            const { sessions, prices } = await kept.whole(P);
            const gone = sessions.filter(({ session_id }) => session_id === sid(one.session));
            const lines = gone.flatMap((session) => deletionLines(session, { today: prices }));
            await made.deletions.write(P, "ann", lines);
            if (one.what === "delete") rmSync(at(one.session), { force: true });
          } else write(one);
          if (one.what === "elsewhere") {
            atWork.delete(one.session);
            clock += FRESH_MS;
          }
          const places = [...atWork].map((n) => ({ agent: "a", session: sid(n) }));
          const spent = (ledger: Ledger) =>
            BUDGETS.map((budget) => ledger.spent(budget, periodAt(budget, clock), () => false));
          const now = spent(await kept.lately(P, places));
          const truth = spent(await new Ledgers(parts(), () => clock).whole(P));
          for (const [i, amounts] of truth.entries()) {
            for (const [name, value] of Object.entries(amounts)) {
              expect({ name, value: Object.entries(now[i] ?? {}).find(([key]) => key === name)?.[1] }).toEqual({
                name,
                value: expect.closeTo(value, 9),
              });
            }
          }
        }
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 15 },
  );
});
