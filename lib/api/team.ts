/** People, Projects and members: bodies of requests (zod: they enter from outside) and shapes of answers (types). */
import { z } from "zod";
import type { ApprovalMode, Visibility } from "../omni/message";
import { approvalMode, visibility } from "../omni/message";
import type { Role } from "./schemas";

const displayName = z.string().trim().min(1).max(80);
const role = z.enum(["owner", "member", "viewer"]);

export const createProjectBody = z.strictObject({ id: z.string(), name: displayName.optional() });
/** What a member names changes; the rest stays. */
export const patchProjectBody = z.strictObject({
  name: displayName.optional(),
  visibility: visibility.optional(),
  approval_mode: approvalMode.optional(),
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
export const createUserBody = z.strictObject({
  id: z.string(),
  name: displayName.optional(),
  password: z.string(),
  admin: z.boolean().optional(),
});
export const patchUserBody = z.strictObject({ name: displayName.optional(), admin: z.boolean().optional() });
export const setPasswordBody = z.strictObject({ password: z.string() });

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
}
/** `others`: Projects without this person, for admins: bare ids. */
export interface ProjectsView {
  projects: { id: string; name: string; role: Role }[];
  others?: string[];
}
