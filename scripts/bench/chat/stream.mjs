/** An answer of 200 KB at 200 deltas per second while somebody types: a delta costs the same early and late. */
import {
  messageBox,
  newSession,
  pause,
  percentile,
  reportOwnWork,
  reportTasks,
  startProfile,
  WATCH,
  worst,
} from "./setup.mjs";

const DELTAS = 2_000;
const PER_SECOND = 200;
const CHARS = 100;
const RATIO = 1.5;
const KEY_MS = 50;

const WORDS = "Words of an answer with `code`, **weight** and a [link](https://example.com). ";
const CODE = "const value = compute(1, 2); // a line of code\n";
const fence = (code) => `\`\`\`ts\n${code}\`\`\`\n\n`;

/** What an answer consists of: everything in turn, or one single block. */
const TEXTS = {
  mixed: () =>
    `## Part\n\n${`${WORDS.repeat(6)}\n\n`.repeat(3)}${"- one thing to do\n- another thing, with `names`\n\n".repeat(4)}| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n${fence(CODE.repeat(24))}`.repeat(
      200,
    ),
  paragraph: () => WORDS.repeat(4_000),
  code: () => fence(CODE.repeat(6_000)),
  table: () =>
    `| Name | What it does | Count |\n|---|---|---|\n${"| a `name` | does one thing | 12 |\n".repeat(8_000)}`,
  list: () => "- one thing to do, with `names`\n".repeat(8_000),
};
export const SHAPES = Object.keys(TEXTS);

function piecesOf(text) {
  return Array.from({ length: DELTAS }, (_, i) => text.slice(i * CHARS, (i + 1) * CHARS));
}

export async function streaming(bench, shape) {
  const { context, provider, report, profile } = bench;
  provider.answers.set("Warm up.", { pieces: [`${WORDS}\n\n`, fence(CODE), "| a |\n|---|\n| 1 |\n"], perSecond: 20 });
  provider.answers.set("Write much.", { pieces: piecesOf(TEXTS[shape]()), perSecond: PER_SECOND });
  const session = await newSession(bench);
  const page = await context.newPage();
  await page.goto(session.page);
  await messageBox(page).waitFor();
  // The parser of Markdown and the colours are there before anything is measured.
  await session.say("Warm up.");
  await page.getByRole("log").getByRole("table").waitFor();
  await session.idle();
  await pause(1_500);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1_000]));
  };
  const reach = async (share) => {
    while (provider.sent < DELTAS * share) await pause(5);
    return { at: await busy(), sent: provider.sent };
  };
  await page.evaluate(WATCH);
  const stop = await startProfile(page, profile, shape);
  provider.sent = 0;
  await session.say("Write much.");
  const marks = [{ at: await busy(), sent: 0 }, await reach(0.1)];
  await messageBox(page).focus();
  const typing = (async () => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("abcdefghij"[i % 10]);
      await pause(90);
    }
  })();
  marks.push(await reach(0.9));
  await typing;
  marks.push(await reach(1));
  await session.idle();
  // What the end of an answer brings belongs to it: colours, the line below it, the files that it names.
  await pause(2_000);
  const seen = await page.evaluate(() => window.bench);
  const own = await stop();
  tell(shape, { marks, seen, own, report });
  await page.close();
}

function tell(shape, { marks: [zero, first, last, end], seen, own, report }) {
  const per = (a, b, name) => (b.at[name] - a.at[name]) / (b.sent - a.sent);
  const [begin, late] = [per(zero, first, "TaskDuration"), per(last, end, "TaskDuration")];
  const ratio = late / begin;
  report(
    `200 KB answer, ${shape}: main thread per delta`,
    `${begin.toFixed(2)} ms first tenth, ${late.toFixed(2)} ms last: ${ratio.toFixed(2)}x (<= ${RATIO}x)`,
    ratio <= RATIO,
  );
  const parts = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"].map(
    (name) =>
      `${name.replace("Duration", "")} ${per(zero, first, name).toFixed(2)} -> ${per(last, end, name).toFixed(2)}`,
  );
  report("  of it, ms", parts.join(", "), true);
  reportTasks(report, seen.tasks);
  reportOwnWork(report, own);
  const p95 = percentile(seen.keys, 0.95);
  report(
    "  a key",
    `p95 ${p95.toFixed(0)} ms, longest ${worst(seen.keys).toFixed(0)} ms (<= ${KEY_MS} ms)`,
    worst(seen.keys) <= KEY_MS,
  );
}
