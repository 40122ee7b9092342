/** The one place where a command line of an Agent is started: in its Session's room, or with the rights of the server's account. */
import type { Room } from "./room";
import { type Running, startProgram } from "./spawner";

/** Besides LC_*, all that a command inherits from the server's environment (AC3). */
const INHERITED = ["PATH", "LANG", "LANGUAGE", "TZ"];
const FORCED: Record<string, string> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
};
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Environment of a command: an allow-list of the host's, the Agent's vault, then what must not be changed. */
export function commandEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  dirs: { home: string; tmp: string },
  vault: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = Object.entries(host).flatMap(([key, value]) =>
    value !== undefined && (INHERITED.includes(key) || key.startsWith("LC_")) ? [[key, value]] : [],
  );
  return {
    PATH: DEFAULT_PATH,
    ...Object.fromEntries(inherited),
    HOME: dirs.home,
    TMPDIR: dirs.tmp,
    ...vault,
    ...FORCED,
  };
}

/** `PENGUIN_SHELL`, possibly with its options; absent: `bash -lc`. */
function shellWords(shell: string | undefined): [string, ...string[]] {
  const [program, ...options] = (shell ?? "bash -lc").split(/\s+/).filter(Boolean);
  return [program ?? "bash", ...(options.length > 0 ? options : ["-lc"])];
}

export interface CommandLine {
  cmd: string;
  cwd: string;
  env: Record<string, string>;
  shell?: string;
  /** Its input stays open and its children outlive its shell; else reads end at once, so that a question does not hang. */
  background: boolean;
  /** Absent: it runs with the rights of the server's own account. */
  room?: Room;
}

/** Starts a command line. stdout and stderr come in the order written. Throws when its shell cannot be started. */
export function startCommand({ shell, cmd, cwd, env, background, room }: CommandLine): Promise<Running> {
  const [program, ...options] = shellWords(shell);
  const given = { env, background, input: background };
  if (room) return startProgram(room.entry(cwd, [program, ...options, cmd], given));
  return startProgram({ ...given, program, args: [...options, cmd], cwd });
}
