import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = `
  import { execFileSync } from "node:child_process";
  import { readFileSync } from "node:fs";
  import { hideEnvironment } from ${JSON.stringify(pathToFileURL(`${import.meta.dirname}/environment.mjs`).href)};
  const before = readFileSync("/proc/self/environ", "latin1");
  const hidden = hideEnvironment();
  const after = readFileSync("/proc/self/environ", "latin1");
  const child = execFileSync("sh", ["-c", 'printf %s "$AUTH_SECRET"'], { encoding: "utf8" });
  console.log(JSON.stringify({ before, hidden, after, own: process.env.AUTH_SECRET, empty: process.env.EMPTY, child }));
`;

it.runIf(process.platform === "linux")(
  "AC3 AT04 the system shows no key of the server's environment once it started; the server keeps its settings",
  async () => {
    const env = {
      PATH: process.env.PATH,
      LANG: "C",
      AUTH_SECRET: "top-secret-1",
      DEEPSEEK_API_KEY: "sk-ünïcode-2",
      EMPTY: "",
    };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...env, NODE_ENV: "test" },
    });
    const seen = JSON.parse(stdout);
    expect(seen.before).toContain("top-secret-1");
    expect(seen).toMatchObject({ hidden: true, own: "top-secret-1", empty: "", child: "top-secret-1" });
    expect(seen.after).not.toMatch(/secret|sk-|code-2/);
    expect(seen.after).toContain("LANG=C");
  },
);
