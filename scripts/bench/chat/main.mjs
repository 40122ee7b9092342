/**
 * `npm run bench -- chat`: what the conversation page costs the browser, in Chromium against the built server.
 * `-- chat stream code` runs one part, and of the answers one shape; `--profile FOLDER` writes traces for the browser's tools.
 */
import { gzipSync } from "node:zlib";
import { longConversation } from "./long.mjs";
import { AGENT, messageBox, PROJECT, profileIn, setUp } from "./setup.mjs";
import { SHAPES, streaming } from "./stream.mjs";
import { windows } from "./windows.mjs";

const JS_KB = 350;

/** JavaScript that the first HTML names, and what came after it, gzipped. */
async function javascript(context, report) {
  const { session } = await (await context.request.post(`${AGENT}/sessions`, { data: {} })).json();
  const page = await context.newPage();
  const bodies = [];
  let html = "";
  page.on("response", (response) => {
    const type = response.request().resourceType();
    const keep = (text) => {
      html += text;
    };
    if (type === "document") bodies.push(response.text().then(keep));
    if (type === "script") bodies.push(response.body().then((body) => [new URL(response.url()).pathname, body]));
  });
  await page.goto(`${PROJECT}/s/${session.id}`);
  await messageBox(page).waitFor();
  // Markdown is fetched once the page stands.
  await page.waitForTimeout(3_000);
  const scripts = new Map((await Promise.all(bodies)).filter(Array.isArray));
  const size = (named) =>
    [...scripts]
      .filter(([path]) => html.includes(path.split("/").at(-1)) === named)
      .reduce((sum, [, body]) => sum + gzipSync(body).length, 0) / 1024;
  const first = size(true);
  report("JavaScript of the first view, gzipped", `${first.toFixed(0)} KB (<= ${JS_KB} KB)`, first <= JS_KB);
  report("  loaded after it", `${size(false).toFixed(0)} KB`, true);
  await page.close();
}

const PARTS = {
  javascript: ({ context, report }) => javascript(context, report),
  stream: async (bench, words) => {
    const shapes = SHAPES.filter((shape) => words.includes(shape));
    for (const shape of shapes.length > 0 ? shapes : SHAPES) await streaming(bench, shape);
  },
  long: longConversation,
  windows,
};

/** `scratch`: a folder for the data root. `words`: parts and shapes to be run; none: all. */
export async function chatBench(scratch, report, words) {
  const bench = await setUp(scratch, { report, profile: profileIn(words) });
  try {
    const wanted = Object.keys(PARTS).filter((name) => words.includes(name));
    for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) await PARTS[name](bench, words);
  } finally {
    await bench.tearDown();
  }
}
