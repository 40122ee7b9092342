/** Values that a browser needs too: without the schemas of `message.ts`, which would bring a validator with them. */
export const STOP_REASONS = ["completed", "failed", "aborted", "timeout", "malformed", "auth"] as const;
export const APPROVAL_MODES = ["allow-all", "deny-all", "read-only", "always-ask"] as const;
export const THINKING_LEVELS = ["none", "low", "medium", "high", "xhigh", "max"] as const;
export const VISIBILITIES = ["team", "private"] as const;
