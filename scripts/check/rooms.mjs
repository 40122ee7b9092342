/**
 * The import rules of AGENTS.md as data. A file belongs to the first room whose pattern matches its path; it may
 * import its own room and what `may` lists. Anything else is an error. Tests, e2e and scripts may import anything.
 */

/** @typedef {{ room: string, match: RegExp, may: RegExp[], packages?: RegExp, never?: RegExp, why?: string }} Room */

const lib = /^lib\//;
const components = /^components\//;

/** Packages that never enter `lib` (it runs in browser and server) and `server`. */
const UI_OR_NODE = /^(node:|react($|\/|-)|next($|\/|-))/;
const UI = /^(react($|\/|-)|next($|\/(?!auth)))/;

/** @type {Room[]} */
export const ROOMS = [
  { room: "lib/omni", match: /^lib\/omni\//, may: [], never: UI_OR_NODE },
  {
    room: "lib/model",
    match: /^lib\/model\//,
    may: [/^lib\/omni\/(message|values)$/],
    never: UI_OR_NODE,
    why: "prices are folded over token_usage payloads",
  },
  {
    room: "lib/i18n",
    match: /^lib\/i18n\//,
    may: [/^lib\/api\/errors$/],
    never: UI_OR_NODE,
    why: "every error code has a sentence in both languages",
  },
  {
    room: "lib/trace",
    match: /^lib\/trace\//,
    may: [/^lib\/omni\//, /^lib\/model\/price$/, /^lib\/api\/(frames|elide|trace-summary)$/, /^lib\/format$/],
    never: UI_OR_NODE,
    why: "the transcript reducer consumes frames; records may come shortened, and are summed up in a line",
  },
  { room: "lib/api", match: /^lib\/api\//, may: [/^lib\/omni\//, /^lib\/model\//], never: UI_OR_NODE },
  { room: "lib/mask", match: /^lib\/mask$/, may: [], never: UI_OR_NODE },
  { room: "lib/format", match: /^lib\/[^/]+$/, may: [], never: UI_OR_NODE },

  { room: "server/config", match: /^server\/config$/, may: [], never: UI },
  {
    room: "server/paths",
    match: /^server\/(paths|files)$/,
    may: [/^server\/config$/, /^lib\/trace\/name$/, /^lib\/api\/errors$/, /^server\/paths$/],
    never: UI,
  },
  { room: "server/net", match: /^server\/net\//, may: [], never: UI },
  { room: "server/engine", match: /^server\/engine\//, may: [/^lib\/omni\//], never: UI },
  {
    room: "server/llm/conformance",
    match: /^server\/llm\/adapter-conformance/,
    may: [/^server\/(llm|engine)\//, /^lib\//],
    why: "a suite for tests: it sends records through a Trace and back",
  },
  {
    room: "server/llm",
    match: /^server\/llm\//,
    may: [/^server\/engine\/ports$/, /^server\/net\//, /^lib\/(omni|model)\//, /^lib\/api\/schemas$/, /^lib\/mask$/],
    never: UI,
  },
  {
    room: "server/tools",
    match: /^server\/tools\//,
    may: [
      /^server\/engine\/ports$/,
      /^server\/(workspace|net)\//,
      /^server\/(paths|files)$/,
      /^lib\/omni\//,
      /^lib\/mask$/,
    ],
    never: UI,
  },
  {
    room: "server/trace",
    match: /^server\/trace\//,
    may: [
      /^server\/(paths|files|placing)$/,
      /^lib\/(trace|omni|model)\//,
      /^lib\/discard-rest$/,
      /^lib\/api\/(elide|errors|schemas|trace-search|trace-bundle|trace-overview|trace-summary)$/,
      /^server\/tools\/mask$/,
    ],
    never: UI,
    why: "what a bundle takes along is masked as any file that leaves the server",
  },
  {
    room: "server/project",
    match: /^server\/project\//,
    may: [
      /^server\/(paths|files|going|config|toml-file)$/,
      lib,
      /^server\/net\//,
      /^server\/llm\/(base-url|url-secrets|demo|probe|adapters)$/,
    ],
    never: UI,
    why: "a model's entry is normalised and tested by the code that uses it",
  },
  {
    room: "server/usage",
    match: /^server\/usage\//,
    may: [
      /^server\/(paths|files|toml-file|audit)$/,
      /^server\/(trace|project|users|agent)\//,
      /^server\/engine\/ports$/,
      lib,
    ],
    never: UI,
    why: "usage is folded over the Traces of a Project, with its prices, people and budgets",
  },
  {
    room: "server/agent",
    match: /^server\/agent\//,
    may: [/^server\/(paths|files|going|config)$/, lib],
    never: UI,
  },
  { room: "server/workspace", match: /^server\/workspace\//, may: [/^server\/(paths|files|config)$/, lib], never: UI },
  {
    room: "server/users",
    match: /^server\/users\//,
    may: [/^server\/(paths|files|config|toml-file)$/, lib],
    never: UI,
  },
  {
    room: "server/share",
    match: /^server\/share\//,
    may: [/^server\/(paths|files|audit)$/, /^server\/(trace|agent|project|users)\//, lib],
    never: UI,
    why: "a copy is made of a Trace, without what vaults, models and people are called",
  },
  {
    room: "server/auth",
    match: /^server\/auth\//,
    may: [
      /^server\/users\//,
      /^server\/project\/members$/,
      /^server\/(paths|files|config|runtime|redact)$/,
      /^lib\/api\/(errors|schemas|team-values)$/,
    ],
    never: /^(react($|\/|-))/,
    why: "pages ask auth/current.ts who is signed in; it takes the users from the runtime",
  },
  { room: "server/session", match: /^server\/session\//, may: [/^server\/(?!runtime$|http$)/, lib], never: UI },
  {
    room: "server/http",
    match: /^server\/http$/,
    may: [
      /^server\/auth\//,
      /^server\/(config|paths|files|body|redact)$/,
      /^server\/runtime$/,
      /^lib\/(api|trace\/name)/,
    ],
    never: /^(react($|\/|-))/,
    why: "a handler is given the runtime",
  },
  {
    room: "server/first-start",
    match: /^server\/first-start$/,
    may: [/^server\/(paths|config|agent\/.*|project\/.*|users\/.*)$/],
    never: UI,
    why: "a part of the composition root",
  },
  { room: "server/runtime", match: /^server\/runtime$/, may: [/^server\//, lib], never: UI },
  { room: "server", match: /^server\/[^/]+$/, may: [/^server\/(paths|files|placing|config)$/, lib], never: UI },

  {
    room: "entry",
    match: /^(proxy|instrumentation[^/]*)$/,
    may: [
      /^server\/(config|auth\/.*|runtime|environment|first-start|leftovers|lock|paths)$/,
      /^instrumentation/,
      /^lib\/api\/errors$/,
    ],
  },
  {
    room: "app/api/testing",
    match: /^app\/api\/testing\//,
    may: [/^server\//, lib, /^app\/api\//],
    why: "for tests: the runtime with a scripted model",
  },
  {
    room: "app/api",
    match: /^app\/api\//,
    may: [/^server\/(?!engine\/|llm\/|tools\/|files$)/, lib],
    never: /^react($|\/|-)/,
  },
  { room: "app", match: /^app\//, may: [components, lib, /^server\/(?!engine\/|llm\/|tools\/|files$)/, /^app\//] },

  {
    room: "components/ui",
    match: /^components\/ui\//,
    may: [/^lib\/i18n\//, /^lib\/format$/],
    never: /^node:/,
    why: "primitives say Close, Copy and 3 minutes ago in the reader's language",
  },
  { room: "components/shell", match: /^components\/shell\//, may: [/^components\/ui\//, lib], never: /^node:/ },
  { room: "components/cost", match: /^components\/cost\//, may: [/^components\/ui\//, lib], never: /^node:/ },
  {
    room: "components/share",
    match: /^components\/share\//,
    may: [/^components\/ui\//, /^components\/team\/(check|setting-switch|shown-once|use-change)$/, lib],
    never: /^node:/,
  },
  {
    room: "components/<view>",
    match: /^components\/[^/]+\//,
    may: [/^components\/(ui|cost|share)\//, lib],
    never: /^node:/,
    why: "links are made in a conversation and listed in the settings; how sure an amount is reads the same in a conversation and on the usage page",
  },
];

/** Only these files may spell parts of the on-disk layout. */
export const PATH_LITERALS = {
  // lib/api/routes spells addresses of the HTTP API, which are no paths.
  allowed: /^(server\/paths|lib\/trace\/name|lib\/api\/routes)$/,
  literal:
    /["'`/](agent_state|scratchpad|shared_env|truncated-tool-output|\.vault\.toml|\.project_config\.toml|\.members\.toml|system_config\.yaml|\.imports\.jsonl|\.server\.lock|\.auth_secret|[^"'`\s]*\.jsonl)["'`/]/,
};

/** Size budgets; a file that needs more stands here with a reason. */
export const BUDGET = {
  lines: 400,
  /** @type {Record<string, { lines: number, why: string }>} */
  raised: { "app/api/access.test.ts": { lines: 480, why: "the table of all routes" } },
};
