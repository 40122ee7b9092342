/** What admins allow which Project: keys from the environment, private addresses, Workspace roots. */
import { z } from "zod";
import type { Allowance } from "../../lib/api/team";
import { DEFAULT_PROJECT, type Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

const allowance = z.looseObject({
  env_keys: z.boolean().optional().catch(undefined),
  private_addresses: z.boolean().optional().catch(undefined),
  workspace_roots: z.array(z.string()).catch([]),
});
const settingsFile = z.looseObject({
  projects: z.record(z.string(), allowance.catch({ workspace_roots: [] })).catch({}),
});

export class Allowances {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {}

  /** `default_project` may use keys from the environment unless the file says otherwise. */
  async of(project: string): Promise<Allowance> {
    const table = await this.files.read(this.layout.serverSettings);
    const given = settingsFile.parse(table ?? {}).projects[project];
    return {
      env_keys: given?.env_keys ?? project === DEFAULT_PROJECT,
      private_addresses: given?.private_addresses ?? false,
      workspace_roots: given?.workspace_roots ?? [],
    };
  }

  /** What an admin decided. */
  async set(project: string, given: Allowance): Promise<void> {
    await this.files.update(this.layout.serverSettings, (table) => {
      const { projects } = settingsFile.parse(table);
      const entry = { ...projects[project], ...given };
      return { table: { ...table, projects: { ...projects, [project]: entry } }, result: undefined };
    });
  }

  /** A Project that is gone leaves nothing behind for one that takes its id. */
  async forget(project: string): Promise<void> {
    await this.files.update(this.layout.serverSettings, (table) => {
      const { [project]: gone, ...projects } = settingsFile.parse(table).projects;
      return gone ? { table: { ...table, projects }, result: undefined } : { result: undefined };
    });
  }
}
