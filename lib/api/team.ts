/** People, Projects, members and tokens: bodies of requests (zod: they enter from outside) and shapes of answers (types). */
import { z } from "zod";
import type { ApprovalMode, Visibility } from "../omni/message";
import { approvalMode, visibility } from "../omni/message";
import type { Role } from "./schemas";
import { TOKEN_SCOPES, type TokenScope, UNSEEN_IN_NAMES } from "./team-values";

/** It tells who did something: nobody goes by a name that cannot be seen, or reads as another one. */
const displayName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .refine((name) => !UNSEEN_IN_NAMES.test(name) && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name), {
    error: "A name needs characters that can be seen, and no others.",
  });
const role = z.enum(["owner", "member", "viewer"]);

export const createProjectBody = z.strictObject({ id: z.string(), name: displayName.optional() });
/** What a member names changes; the rest stays. */
export const patchProjectBody = z.strictObject({
  name: displayName.optional(),
  visibility: visibility.optional(),
  approval_mode: approvalMode.optional(),
  /** May share links be read without a sign-in? */
  public_links: z.boolean().optional(),
});
export type PatchProjectBody = z.infer<typeof patchProjectBody>;
/** PUT allowances: for admins. */
export const allowancesBody = z.strictObject({
  env_keys: z.boolean(),
  private_addresses: z.boolean(),
  /** Absolute folders on the server. */
  workspace_roots: z.array(z.string().trim().startsWith("/").max(1_000)).max(50),
});
export const addMemberBody = z.strictObject({ user: z.string(), role });
export const patchMemberBody = z.strictObject({ role });

export const passwordBody = z.strictObject({ current: z.string(), next: z.string() });
/** Without a password the answer holds a one-time link with which the person chooses one. */
export const createUserBody = z.strictObject({
  id: z.string(),
  name: displayName.optional(),
  password: z.string().optional(),
  admin: z.boolean().optional(),
});
export const patchUserBody = z.strictObject({
  name: displayName.optional(),
  admin: z.boolean().optional(),
  /** Cannot sign in any more; everything of theirs stays. */
  disabled: z.boolean().optional(),
});
export const setPasswordBody = z.strictObject({ password: z.string() });
/** PATCH me. */
export const patchMeBody = z.strictObject({
  name: displayName.optional(),
  language: z.enum(["en", "zh"]).optional(),
  theme: z.enum(["system", "light", "dark"]).optional(),
});
export const createTokenBody = z.strictObject({
  name: displayName,
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).default(["read"]),
  /** Absent: all Projects of the person, also later ones. */
  projects: z.array(z.string().max(128)).min(1).max(100).optional(),
  /** ISO time; absent: never. */
  expires: z.iso.datetime().optional(),
});
export type CreateTokenBody = z.infer<typeof createTokenBody>;

// ---- answers ------------------------------------------------------------------------------------------------------

/** What a Session of the Project begins with. */
export interface ProjectDefaults {
  visibility: Visibility;
  approval_mode: ApprovalMode;
}
/** What admins allow a Project. */
export interface Allowance {
  /** Keys from the server's environment. */
  env_keys: boolean;
  /** Model addresses on private networks. */
  private_addresses: boolean;
  workspace_roots: string[];
}
export interface ProjectView {
  id: string;
  name: string;
  role: Role;
  defaults: ProjectDefaults;
  /** Share links may be read without a sign-in. */
  public_links: boolean;
  /** The first Project of a server stays. */
  deletable: boolean;
  /** For owners only. */
  allowance?: Allowance;
}
/** What goes with a Project. */
export interface ProjectContents {
  agents: number;
  sessions: number;
  /** Of these: at work now. */
  running: number;
  members: number;
}
export interface MemberView {
  user: string;
  name: string;
  role: Role;
  /** Cannot sign in at present. */
  disabled?: boolean;
  /** At least this role comes from a group of the OpenID provider. */
  by_group?: Role;
}
/** `others`: Projects without this person, for admins: bare ids. */
export interface ProjectsView {
  projects: { id: string; name: string; role: Role }[];
  others?: string[];
}

export interface UserView {
  id: string;
  name: string;
  admin: boolean;
  /** Cannot sign in at present. */
  disabled?: true;
  /** Signs in through the OpenID provider. */
  single_sign_on?: true;
  has_password: boolean;
  /** Somebody else chose it. */
  password_is_initial: boolean;
  /** ISO times. */
  created_at?: string;
  last_sign_in_at?: string;
  /** A link that sets the password works until then. */
  invited_until?: string;
}
/** A one-time link as its parts: the token belongs behind `#`, where no server and no log sees it. */
export interface Invitation {
  token: string;
  /** ISO time. */
  until: string;
}
/** What becomes of a person's things: asked before they are deleted. */
export interface UserBelongings {
  /** Projects in which nobody else is an owner. */
  last_owner_of: string[];
  projects: number;
  sessions: { team: number; private: number };
}

export interface SignInView {
  id: string;
  device?: string;
  /** ISO times. */
  created_at: string;
  last_seen_at: string;
  /** The one that asks. */
  current: boolean;
}
export interface TokenView {
  id: string;
  name: string;
  scopes: TokenScope[];
  /** Absent: all Projects of the person. */
  projects?: string[];
  /** ISO times. */
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
  expired?: true;
}
