/** What of the data root stands in the room of a Session: the table of `docs/reach.md`. */
import { lstat, realpath } from "node:fs/promises";
import type { AgentRef, Layout } from "../paths";
import type { Confinement } from "../workspace/confine";
import { openDir } from "../workspace/open";
import type { Sandbox } from "../workspace/room";
import { planProblem, type RoomNetwork } from "../workspace/room-plan";
import type { Planned } from "../workspace/session-room";

export interface RoomNeeds {
  layout: Layout;
  ref: AgentRef;
  sessionId: string;
  confinement: Confinement;
  sandbox: Sandbox;
  network: RoomNetwork;
  /** Trace files and scratchpads that this Session may read. */
  readable: () => Promise<string[]>;
}

/** Is it there, and itself rather than a link to something? */
async function isItself(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && (found.isFile() || found.isDirectory()) && (await realpath(path).catch(() => "")) === path;
}

/** Missing folders are made; a link in the place of one is not followed. */
export async function planRoom(needs: RoomNeeds): Promise<Planned> {
  const { layout, ref, sessionId, confinement, sandbox, network, readable } = needs;
  const real = (path: string) => confinement.realPlace(path);
  const tmp = await real(layout.sessionTmp(ref, sessionId));
  const folders = await Promise.all(
    [layout.scratchpad(ref, sessionId), layout.sharedEnv(ref), layout.memory(ref), layout.skills(ref)].map(real),
  );
  for (const path of [...folders, tmp, await real(layout.sharedHome(ref))]) {
    const folder = await openDir(path, 0o700);
    if (!folder.ok) return { ok: false, message: `${path} cannot be used as a folder (${folder.code})` };
    await folder.close();
  }
  const read = [layout.systemConfig(ref), layout.schedule(ref), layout.tools(ref), ...(await readable())];
  const places = [
    ...folders.map((path) => ({ path, write: true })),
    { path: await real(layout.instructions(ref)), write: true },
    ...(await Promise.all(read.map(real))).map((path) => ({ path, write: false })),
  ];
  const there = await Promise.all(places.map(({ path }) => isItself(path)));
  const plan = {
    workspace: confinement.workspace,
    dataRoot: await real(layout.root),
    places: places.filter((_, i) => there[i]),
    tmp,
    network,
    ...sandbox.parts,
  };
  const problem = planProblem(plan);
  return problem === null ? { ok: true, plan } : { ok: false, message: problem };
}
