/** How the commands of a Project are kept apart from the machine: what its owners decide, and what this server can do. */
import { z } from "zod";

export const commandNetwork = z.enum(["isolated", "off", "host"]);
export const putIsolationBody = z.strictObject({
  /** Commands are refused where they cannot be isolated. */
  required: z.boolean(),
  network: commandNetwork,
});
export type IsolationSettings = z.infer<typeof putIsolationBody>;
export type CommandNetwork = z.infer<typeof commandNetwork>;

/** What this machine lacks. `no_network`: commands are isolated, but an isolated network cannot be had. */
export type IsolationProblem =
  | "switched_off"
  | "not_linux"
  | "no_bubblewrap"
  | "no_util_linux"
  | "failed"
  | "no_network";

export interface IsolationView extends IsolationSettings {
  /** Are commands isolated at present? */
  isolated: boolean;
  /** The network they really have. */
  effective_network: CommandNetwork;
  problem?: IsolationProblem;
  /** What the programs said that could not do it; for owners. */
  detail?: string;
}
