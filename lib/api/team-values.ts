/** Values that a browser needs too: without the schemas of `team.ts`, which would bring a validator with them. */

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
