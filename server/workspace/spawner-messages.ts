/** What the server and its spawner say to each other. */
import { z } from "zod";

export type Order =
  | {
      order: "start";
      id: number;
      program: string;
      args: string[];
      cwd: string;
      env: Record<string, string>;
      /** Paths of pipes whose other end the server holds open. */
      output: string;
      /** null: reads end at once. */
      input: string | null;
      /** Its children outlive its shell. */
      background: boolean;
      /** It only leads into a room and waits for what runs there: Ctrl-C is not meant for it. */
      entered: boolean;
    }
  /** Everything in the process namespace of `pid` ends when it takes more than this together. */
  | { order: "watch"; id: number; pid: number; processes: number; bytes: number }
  /** SIGTERM to the whole tree, SIGKILL 400 ms later. */
  | { order: "kill"; id: number }
  | { order: "kill_now"; id: number }
  /** SIGINT. */
  | { order: "interrupt"; id: number }
  /** The pipes are gone from their folder. */
  | { order: "pipes" };

const id = z.number();
export const report = z.discriminatedUnion("report", [
  /** Unused ones. */
  z.object({ report: z.literal("pipes"), paths: z.array(z.string()) }),
  z.object({ report: z.literal("no_pipes"), message: z.string() }),
  z.object({ report: z.literal("started"), id, pid: z.number() }),
  /** The program cannot be started. */
  z.object({ report: z.literal("failed"), id, message: z.string() }),
  z.object({
    report: z.literal("exited"),
    id,
    code: z.number().nullable(),
    signal: z.custom<NodeJS.Signals>((value) => typeof value === "string").nullable(),
    /** Did its children go on? Those of a foreground command are being ended. */
    left: z.boolean(),
  }),
  /** A watched room took too much and was ended. */
  z.object({ report: z.literal("over"), id, what: z.enum(["memory", "processes"]) }),
  /** Neither the command nor anything it started runs any more. */
  z.object({ report: z.literal("gone"), id }),
]);
export type Report = z.infer<typeof report>;
