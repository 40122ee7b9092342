/** What runs in a process of its own: `node --expose-gc child.mjs <what> <argument>`, answers one line of JSON. */
import { appendFloor, appendWriter } from "./append";
import { bareServer, channel } from "./channel";
import { generate, replayFloor, replayStore } from "./replay";
import { stop } from "./stop";
import {
  analysis,
  firstWindow,
  generateLibrary,
  generateSessions,
  generateTrace,
  generateView,
  headsFloor,
  lastWindow,
  readFloor,
  search,
  sessionList,
} from "./traces";
import { budgetOfLibrary, generateUsage, generateUsageLibrary, usageOfFile, usageOfLibrary } from "./usage";

const [what = "", argument = ""] = process.argv.slice(2);
const jobs: Record<string, (argument: string) => unknown> = {
  "append-floor": (folder) => appendFloor(folder),
  "append-writer": (folder) => appendWriter(folder),
  generate: (text) => generate(text),
  "replay-floor": (path) => replayFloor(path),
  bare: (providerPort) => bareServer(providerPort),
  channel: (sessions) => channel(sessions),
  "traces-generate": (root) => generateTrace(root),
  "view-generate": (root) => generateView(root),
  "traces-first": (root) => firstWindow(root),
  "traces-last": (root) => lastWindow(root),
  "traces-analysis": (root) => analysis(root),
  "sessions-generate": (text) => generateSessions(text),
  "sessions-floor": (root) => headsFloor(root),
  "sessions-list": (root) => sessionList(root),
  "library-generate": (text) => generateLibrary(text),
  "library-floor": (text) => readFloor(text),
  "library-search": (root) => search(root),
  "usage-generate": (text) => generateUsage(text),
  "usage-file": (path) => usageOfFile(path),
  "usage-generate-library": (root) => generateUsageLibrary(root),
  "usage-generate-few": (root) => generateUsageLibrary(root, 1),
  "usage-library": (root) => usageOfLibrary(root),
  "usage-budget": (root) => budgetOfLibrary(root),
  stop: (rounds) => stop(rounds),
  "replay-store": (root) => replayStore(root),
};
const job = jobs[what];
if (!job) throw new Error(`unknown job ${what}`);
const result = JSON.stringify(await job(argument));
// What a job started may hold the process open.
process.stdout.write(`${result}\n`, () => process.exit(0));
