/** Share links: bodies of requests and shapes of answers. */
import { z } from "zod";

/** The address of a turn's first record. */
const turnRef = z.strictObject({ file_index: z.number().int().min(1), line: z.number().int().min(1) });

const switches = {
  /** Tool calls with what they were given and gave back. */
  tools: z.boolean().default(false),
  thinking: z.boolean().default(false),
  /** Who wrote what, and names of people in texts. */
  names: z.boolean().default(false),
  /** Absolute paths on the server. */
  paths: z.boolean().default(false),
};

/** What of a Session is shared, and how much of it is told: the body of a preview. */
export const shareChoice = z.strictObject({
  title: z.string().trim().min(1).max(120),
  turns: z.array(turnRef).min(1).max(500),
  ...switches,
  /** Further words to take out, literally spelt. Not kept. */
  hide: z.array(z.string().trim().min(2).max(200)).max(50).default([]),
});
export type ShareChoice = z.infer<typeof shareChoice>;

/** What was previewed, and for whom. */
export const createShareBody = shareChoice.extend({
  /** As the preview answered: the copy must still come out the same. */
  at: z.iso.datetime(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** ISO time; null: until it is withdrawn, for owners. */
  expires: z.iso.datetime().nullable(),
  /** Readers need no sign-in; only where the Project allows it. */
  public: z.boolean().default(false),
});
export type CreateShareBody = z.infer<typeof createShareBody>;

// ---- the frozen copy ----------------------------------------------------------------------------------------------

export type SharedItem =
  /** `from_file`: an imported file says so. `left_out`: pictures and files that stay behind. */
  | { kind: "prompt"; text: string; author?: string; from_file?: true; left_out?: number }
  /** `html`: made by the server from Markdown, nothing else in it. */
  | { kind: "answer" | "thinking"; html: string }
  | { kind: "tool"; name: string; arguments: string; output?: string }
  | { kind: "picture" }
  | { kind: "stopped" };
/** What a reader sees: nothing else of the Session leaves the server. */
export interface SharedContent {
  title: string;
  /** ISO time at which it was frozen. */
  at: string;
  /** Only when names were chosen. */
  by?: string;
  turns: { items: SharedItem[] }[];
}

// ---- answers ------------------------------------------------------------------------------------------------------

/** A turn that can be chosen. */
export interface ShareableTurn {
  file_index: number;
  line: number;
  /** The first line of its prompt. */
  text: string;
  /** ISO time. */
  at: string;
}
/** Kinds of `docs/shares.md`, and what else is taken out. */
export type MaskKind =
  | "vault_value"
  | "model_key"
  | "server_secret"
  | "private_key"
  | "aws_key"
  | "github_token"
  | "gitlab_token"
  | "slack_token"
  | "webhook"
  | "model_vendor_key"
  | "google_key"
  | "payment_key"
  | "service_token"
  | "telegram_token"
  | "jwt"
  | "penguin_token"
  | "url_password"
  | "auth_header"
  | "setting"
  | "path"
  | "name"
  | "hidden";
/** What was taken out, and how often. */
export interface Masked {
  kind: MaskKind;
  count: number;
}
export interface SharePreview {
  /** The page as a reader gets it, byte for byte. */
  html: string;
  masked: Masked[];
  turns: number;
  at: string;
  digest: string;
}
export interface ShareView {
  id: string;
  /** Absent: a private Session of somebody else. */
  agent?: string;
  session_id?: string;
  title?: string;
  turns: number;
  public: boolean;
  created_by: string;
  /** As they are called now. */
  created_by_name: string;
  /** ISO times. */
  created_at: string;
  expires_at?: string;
  /** Why nobody can read it any more. */
  ended?: ShareEnd;
  reads: number;
  last_read_at?: string;
  /** May the person who asks withdraw it and see its readers? */
  mine: boolean;
}
export type ShareEnd = "expired" | "revoked" | "maker_left" | "unavailable";
/** One reading: by a person, or by somebody with a public link. */
export interface ShareRead {
  at: string;
  by?: string;
  /** Browser and system, where nobody was signed in. */
  device?: string;
}
/** What the dialog begins with. */
export interface SessionShares {
  turns: ShareableTurn[];
  links: ShareView[];
  may: { public: boolean; never: boolean };
}
/** `path`: below the server's address; shown once. */
export interface MadeShare {
  link: ShareView;
  path: string;
}
