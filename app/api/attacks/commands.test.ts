/**
 * Attacks by commands of a Session in which everything is allowed (docs/attacks.md), on a server that isolates them.
 * Where that cannot be done it is said, and the tests are skipped.
 */
import { afterAll, describe, expect, it, vi } from "vitest";
import { AttackedServer, MARK } from "../testing/attack";

// Real rooms and processes: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });
const server = await AttackedServer.start({}, { PENGUIN_SANDBOX: "on" });
const { sandbox, problem, detail } = await server.api.made.isolation.found();
if (!sandbox) console.warn(`SKIPPED: commands cannot be isolated on this machine: ${problem} ${detail ?? ""}`);
afterAll(() => server.stop());

const run = async (cmd: string) =>
  (await server.tools([{ name: "exec_command", args: { description: "d", cmd } }]))[0]?.output ?? "";

describe.runIf(sandbox)("isolated commands", () => {
  it("AT09 read nothing of other Projects, people, Agents and Sessions, and write to none of it", async () => {
    const before = await server.contents();
    const paths = Object.values(server.places).map((path) => `'${path}'`);
    const output = await run(`
      for f in ${paths.join(" ")}; do cat "$f" "/proc/1/root$f" "/proc/self/root/$f" 2>/dev/null; (echo OWNED > "$f") 2>/dev/null; done
      ln -s ${paths[0]} link; ln ${paths[0]} hard 2>/dev/null; cat link hard 2>/dev/null
      grep -rsl '${MARK}' ${server.api.root} ${server.api.base}; echo end`);
    expect(output.replace(/\/link$/gm, "")).not.toContain(MARK);
    expect(output).toContain("end");
    expect(await server.contents()).toEqual(before);
  });

  it("see the Trace of their own Session, and cannot change it", async () => {
    const trace = `$(find ${server.api.root} -name '${server.session.split("/").at(-1)}*.jsonl' 2>/dev/null)`;
    const output = await run(`head -c 40 ${trace}; echo; (echo x >> ${trace}) 2>&1 | grep -o 'Read-only file system'`);
    expect(output).toMatch(/^\{"timestamp":.*\nRead-only file system\n$/);
  });
});
