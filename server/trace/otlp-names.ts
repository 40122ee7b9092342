/**
 * How a Trace is called in OpenTelemetry: the one table. Names of the GenAI semantic conventions 1.41.0 (status:
 * development); what they have no name for begins with `penguin.`. Another version of the names is another `version`.
 */
export const NAMES = {
  version: "1",
  schema_url: "https://opentelemetry.io/schemas/1.41.0",
  scope: "penguin-harness",
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  conversation: "gen_ai.conversation.id",
  agent: "gen_ai.agent.id",
  input_tokens: "gen_ai.usage.input_tokens",
  output_tokens: "gen_ai.usage.output_tokens",
  cache_read_tokens: "gen_ai.usage.cache_read.input_tokens",
  cache_creation_tokens: "gen_ai.usage.cache_creation.input_tokens",
  tool: "gen_ai.tool.name",
  tool_call: "gen_ai.tool.call.id",
  tool_arguments: "gen_ai.tool.call.arguments",
  tool_result: "gen_ai.tool.call.result",
  input_messages: "gen_ai.input.messages",
  output_messages: "gen_ai.output.messages",
  error: "error.type",
  user: "user.id",
  project: "penguin.project",
  file: "penguin.trace.file_index",
  line: "penguin.trace.line",
  kind: "penguin.task.kind",
  status: "penguin.status",
  attempt: "penguin.request.attempt",
  estimated: "penguin.usage.estimated",
  usd: "penguin.cost.usd",
  decision: "penguin.approval.decision",
  decided_by: "penguin.approval.by",
  waited: "penguin.approval.waited_ms",
} as const;

/** Values of `gen_ai.operation.name`; a span is called by it and what it is about. */
export const OPERATIONS = { task: "invoke_agent", request: "chat", tool: "execute_tool" } as const;

/** Well-known values of `gen_ai.provider.name`; other providers keep their own name. */
const PROVIDERS: Record<string, string> = {
  google: "gcp.gemini",
  gemini: "gcp.gemini",
  moonshot: "moonshot_ai",
  xai: "x_ai",
  mistral: "mistral_ai",
};
export const providerName = (provider: string): string => PROVIDERS[provider] ?? provider;
