/** What the provider says of a person: parsed from the verified claims, trusted afterwards. */
import { z } from "zod";
import { UNSEEN_IN_NAMES } from "../../../lib/api/team-values";
import { isUserId } from "../../paths";

const text = z.string().trim().min(1).max(500).optional().catch(undefined);
const claims = z.looseObject({
  sub: z.string().min(1).max(255),
  preferred_username: text,
  email: text,
  name: text,
  given_name: text,
  family_name: text,
});

const UNSEEN = new RegExp(UNSEEN_IN_NAMES, "gu");

export interface Claimed {
  /** Never changes and is never given to anybody else, says the standard. */
  sub: string;
  /** What the person may be called here, if it is free. */
  id: string;
  name: string;
  groups: readonly string[];
}

/** null: no `sub`. */
export function readClaims(given: unknown, groupsClaim: string): Claimed | null {
  const parsed = claims.safeParse(given);
  if (!parsed.success) return null;
  const { sub, preferred_username, email, name, given_name, family_name } = parsed.data;
  const full = name ?? [given_name, family_name].filter(Boolean).join(" ");
  return {
    sub,
    id: readableId([preferred_username, email, name]),
    name: (full || preferred_username || email || "").replace(UNSEEN, "").slice(0, 80),
    groups: groupsOf(parsed.data, groupsClaim),
  };
}

/** The claim by its whole name, else along its dots (`realm_access.roles`): a list of texts, or one text. */
function groupsOf(given: Record<string, unknown>, claim: string): string[] {
  const along = (value: unknown, key: string) =>
    typeof value === "object" && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined;
  const found = Object.hasOwn(given, claim) ? given[claim] : claim.split(".").reduce(along, given as unknown);
  const list: unknown[] = Array.isArray(found) ? found : [found];
  return list.filter((entry) => typeof entry === "string");
}

/** Names that mean something else where ids are written. */
const RESERVED = new Set(["server", "system", "admin"]);

/** `Änne.Öster@example.com` -> `anne_oster`; `person` where nothing readable is left. */
export function readableId(names: readonly (string | undefined)[]): string {
  for (const name of names) {
    const local = name?.split("@")[0]?.split("\\").at(-1) ?? "";
    const id = local
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^[^a-z]+/, "")
      .slice(0, 27)
      .replace(/_+$/, "");
    if (isUserId(id) && !RESERVED.has(id)) return id;
  }
  return "person";
}
