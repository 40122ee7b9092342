/** What runs in a process of its own: `node main.mjs <what> <argument>`. */
import { bare } from "./bare";
import { crash } from "./crash";
import { load } from "./load";
import { provider } from "./provider";

const [what = "", argument = ""] = process.argv.slice(2);
const jobs: Record<string, (argument: string) => Promise<unknown>> = { bare, crash, load, provider };
const job = jobs[what];
if (!job) throw new Error(`unknown job ${what}`);
const result = JSON.stringify(await job(argument));
// The runtime and its like hold the process open until all is written.
process.stdout.write(`${result}\n`, () => process.exit(0));
