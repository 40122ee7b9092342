/** What a data root needs before anybody can sign in: the root, the first admin, the default Project and Agent. */
import { chmod, mkdir } from "node:fs/promises";
import type { Agents } from "./agent/agent";
import { DEFAULT_AGENT_NAME } from "./agent/defaults";
import type { Config } from "./config";
import { DEFAULT_AGENT, DEFAULT_PROJECT, type Layout } from "./paths";
import type { Projects } from "./project/projects";
import type { Users } from "./users/users";

export const FIRST_ADMIN = "admin";

interface Parts {
  config: Config;
  layout: Layout;
  users: Users;
  projects: Projects;
  agents: Agents;
}

/** Idempotent: makes only what is missing. Throws `invalid_password` for a PENGUIN_ADMIN_PASSWORD that is too short. */
export async function firstStart({ config, layout, users, projects, agents }: Parts): Promise<void> {
  await mkdir(layout.users, { recursive: true, mode: 0o700 });
  // Keys lie below it: an older umask may have left it open.
  await chmod(layout.root, 0o700);
  if ((await users.list()).length === 0) await users.create({ id: FIRST_ADMIN, name: "Admin", admin: true });
  if (config.adminPassword) await setAdminPassword(users, config.adminPassword);
  const ref = { project: DEFAULT_PROJECT, agent: DEFAULT_AGENT };
  if (!(await projects.exists(DEFAULT_PROJECT))) await projects.create(DEFAULT_PROJECT, "Default Project", FIRST_ADMIN);
  await agents.ensure(ref, { name: DEFAULT_AGENT_NAME });
}

/** PENGUIN_ADMIN_PASSWORD is the password: set when it is not the one in force. */
async function setAdminPassword(users: Users, password: string): Promise<void> {
  if (!(await users.get(FIRST_ADMIN)) || (await users.verify(FIRST_ADMIN, password))) return;
  await users.setPassword(FIRST_ADMIN, password, { initial: false });
}
