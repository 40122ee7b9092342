/** Values that a browser needs too: without the schemas of `team.ts`, which would bring a validator with them. */

/** What a personal access token may do. `work` includes `read`; deciding approvals is a right of its own. */
export const TOKEN_SCOPES = ["read", "work", "approve"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
