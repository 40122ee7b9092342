/** Values that a browser needs too: without the schemas of `team.ts`, which would bring a validator with them. */

/** What hides or turns round a part of a name: controls, halves of characters, marks of direction, what has no width. */
export const UNSEEN_IN_NAMES = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** What a personal access token may do. `work` includes `read`; deciding approvals is a right of its own. */
export const TOKEN_SCOPES = ["read", "work", "approve"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Why a sign-in through the OpenID provider did not work; stands as `error` in the address of the sign-in page. */
export const SSO_PROBLEMS = [
  /** The provider, or the person there, said no. */
  "oidc_denied",
  /** The provider reported an error. */
  "oidc_provider",
  /** Begun elsewhere, too long ago, or answered twice. */
  "oidc_stale",
  /** The answer does not hold what it must. */
  "oidc_invalid",
  "oidc_unreachable",
  /** Disabled or deleted here. */
  "oidc_disabled",
] as const;
export type SsoProblem = (typeof SSO_PROBLEMS)[number];
