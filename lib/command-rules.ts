/**
 * Rules of a Project that forbid commands. A rule reads the text of a command; it knows nothing of what the command
 * does. Pure: the server decides with it, the settings page tries a command with it.
 */

export interface CommandRule {
  /** Stands in the Trace as `policy:<name>`. */
  name: string;
  /** A regular expression, looked for anywhere in the command. `^` and `$` count per line. */
  pattern: string;
  /** Told to the model when the rule forbids. */
  description: string;
  enabled: boolean;
}

/** What a Project has that says nothing about rules: commands that nobody means. */
export const FACTORY_RULES: readonly CommandRule[] = [
  {
    name: "wipe",
    pattern: String.raw`\brm\s(?:\s*-\S+)*\s*-(?:-recursive|\w*[rR])\S*(?:\s+-\S+)*\s+(?:/|~|\$HOME|\$\{HOME\})/?\*?(?:\s|[;&|)]|$)`,
    description: "Deletes the whole system or the whole home directory.",
    enabled: true,
  },
  {
    name: "disk",
    pattern: String.raw`\bmkfs(?:\.\w+)?\s|\bdd\s[^\n]*\bof=/dev/(?!null|zero|std|fd|tty|shm)|>\s*/dev/(?:sd|hd|vd|nvme|mmcblk)`,
    description: "Writes over a disk.",
    enabled: true,
  },
  {
    name: "power",
    pattern: String.raw`(?:^|[;&|({]|\bsudo\s)\s*(?:shutdown|reboot|halt|poweroff)\b`,
    description: "Switches the machine off.",
    enabled: true,
  },
  {
    name: "fork-bomb",
    pattern: String.raw`:\s*\(\s*\)\s*\{[^}]*:\s*\|\s*:`,
    description: "Starts processes without end.",
    enabled: true,
  },
];

export type Pattern = { ok: true; regexp: RegExp } | { ok: false; why: string };

/** Compiles a pattern, or says why it cannot be one. One that fits an empty text would forbid everything. */
export function readPattern(pattern: string): Pattern {
  try {
    const regexp = new RegExp(pattern, "m");
    return regexp.test("") ? { ok: false, why: "It fits every command." } : { ok: true, regexp };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The texts a rule looks at: the command as it stands, and its words as a shell would see them (continued lines
 * joined, no quotes, no backslashes, single blanks). More than spelling is not undone.
 */
export function spellings(text: string): string[] {
  const plain = text
    .replace(/\\\r?\n/g, "")
    .replace(/\$\{IFS\}|\$IFS\b/g, " ")
    .replace(/["'\\]/g, "")
    .replace(/[ \t]+/g, " ");
  return plain === text ? [text] : [text, plain];
}
