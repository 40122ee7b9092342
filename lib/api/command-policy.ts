/** The command policy of a Project: which commands are refused whoever asks, in every approval mode. */
import { z } from "zod";

const RULES_MAX = 100;
/** Names that the server itself uses for questions that nobody answered. */
export const RESERVED_RULES = ["shutdown", "stopped", "request_failed"];

const rule = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[^\p{Cc}]+$/u)
    .refine((name) => !RESERVED_RULES.includes(name), "This name is taken by the server."),
  pattern: z.string().min(1).max(500),
  description: z.string().trim().max(300).default(""),
  enabled: z.boolean(),
});
/** PUT: the whole policy. `rules` null: those that come with the product. */
export const putCommandPolicyBody = z.strictObject({
  enabled: z.boolean(),
  rules: z.array(rule).max(RULES_MAX).nullable(),
});
export type PutCommandPolicyBody = z.infer<typeof putCommandPolicyBody>;

export interface CommandRuleView {
  name: string;
  pattern: string;
  description: string;
  enabled: boolean;
  /** Why it cannot be read: until it is mended it forbids every command. */
  problem?: string;
}
export interface CommandPolicyView {
  enabled: boolean;
  rules: CommandRuleView[];
  /** The Project has no rules of its own: these come with the product. */
  factory: boolean;
}
