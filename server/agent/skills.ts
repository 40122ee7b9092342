/** Skills of an Agent: folders with a SKILL.md whose frontmatter names and describes them. */
import { join } from "node:path";
import { listNames, readText } from "../files";

const MAX_SKILL = 1024 * 1024;

/** The `key: value` lines of the first `---` block. */
function frontmatter(text: string): Record<string, string> {
  const block = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
  const fields: Record<string, string> = {};
  for (const line of block.split(/\r?\n/)) {
    const field = /^(\w+):\s*(.*)$/.exec(line);
    if (field?.[1]) fields[field[1]] = (field[2] ?? "").trim().replace(/^(["'])(.*)\1$/, "$2");
  }
  return fields;
}

/** Name (the folder's) and description of every skill; one that cannot be read has an empty description. */
export async function readSkills(folder: string): Promise<{ name: string; description: string }[]> {
  const names = (await listNames(folder)).filter((name) => !name.startsWith("."));
  const skills = await Promise.all(
    names.map(async (name) => {
      const text = await readText(join(folder, name, "SKILL.md"), MAX_SKILL).catch(() => null);
      if (text === null) return null;
      const fields = frontmatter(text);
      return { name, description: fields.name ? (fields.description ?? "") : "" };
    }),
  );
  return skills.filter((skill) => skill !== null);
}
