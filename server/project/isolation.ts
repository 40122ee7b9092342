/** `[isolation]` of a `.project_config.toml`: what its owners decide about commands. Other keys of the file are kept. */
import { z } from "zod";
import { commandNetwork, type IsolationSettings } from "../../lib/api/isolation";
import type { Layout } from "../paths";
import type { TomlFiles } from "../toml-file";

// What cannot be understood counts as the stricter choice.
const section = z.looseObject({
  required: z.boolean().catch(true).default(false),
  network: commandNetwork.catch("off").default("isolated"),
});
const configFile = z.looseObject({ isolation: section.catch({ required: true, network: "off" }).optional() });

export class ProjectIsolation {
  constructor(
    private readonly layout: Layout,
    private readonly files: TomlFiles,
  ) {}

  /** Never throws. */
  async of(project: string): Promise<IsolationSettings> {
    const table = await this.files.read(this.layout.projectConfig(project)).catch(() => undefined);
    if (table === undefined) return { required: true, network: "off" };
    const given = configFile.parse(table ?? {}).isolation;
    return { required: given?.required ?? false, network: given?.network ?? "isolated" };
  }

  async put(project: string, settings: IsolationSettings): Promise<void> {
    await this.files.update(this.layout.projectConfig(project), (table) => {
      const old = typeof table.isolation === "object" && table.isolation !== null ? table.isolation : {};
      return { table: { ...table, isolation: { ...old, ...settings } }, result: undefined };
    });
  }
}
