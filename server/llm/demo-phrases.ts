/** Plain sentences -> tool calls of the demo model. The table of phrases stands in `demo.ts`. */
import { asObject, type JsonObject } from "./json";

export interface DemoCall {
  name: string;
  args: JsonObject;
}
export interface DemoTool {
  name: string;
  properties: ReadonlySet<string>;
}

const QUOTED = "[`\"'“]([^`\"'”]+)[`\"'”]";
const NAME = "[`\"'“]?([\\w@~+./-]*\\w)[`\"'”]?";
const FILE = "[`\"'“]?([\\w@~+./-]*\\.\\w{1,8})[`\"'”]?";
const WITH =
  "(?:\\s+(?:with|containing|saying|that says)\\s+(?:the\\s+(?:text|content|contents|words?)\\s+)?([\\s\\S]+))?";

const CREATE = [
  new RegExp(
    `\\b(?:create|write|make|add)\\s+(?:me\\s+)?(?:a|the)?\\s*(?:new\\s+)?file\\s+(?:called\\s+|named\\s+)?${NAME}${WITH}`,
    "i",
  ),
  new RegExp(`\\b(?:create|write|make)\\s+${FILE}${WITH}`, "i"),
];
const EDIT = new RegExp(
  `\\b(?:replace|change)\\s+${QUOTED}\\s+(?:with|to|by)\\s+${QUOTED}\\s+in\\s+(?:the\\s+)?(?:file\\s+)?${NAME}`,
  "i",
);
const EDIT_BARE = new RegExp(
  `\\b(?:replace|change)\\s+(\\S+)\\s+(?:with|to|by)\\s+(\\S+)\\s+in\\s+(?:the\\s+)?(?:file\\s+)?${NAME}`,
  "i",
);
const IMAGE = new RegExp(`\\b(?:look at|view|read)\\s+(?:the\\s+)?(?:image|picture)\\s+${NAME}`, "i");
const READ = [
  new RegExp(`\\b(?:read|show|open|print)\\s+(?:me\\s+)?(?:the\\s+)?file\\s+${NAME}`, "i"),
  new RegExp(`\\b(?:read|show|open|print|cat)\\s+(?:me\\s+)?${FILE}`, "i"),
];
const LIST = /\b(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?files\b/i;
const BACKGROUND = /\b(?:start|launch|run)\s+`([^`]+)`\s+in\s+the\s+background/i;
const RUN = /\b(?:run|execute)\b/i;
const RUN_BARE = /\b(?:run|execute)\s+(?:the\s+command\s+)?([^`]+)$/i;
const PROCESS = "(?:\\s+(?:the\\s+)?(?:process|command)(?:\\s+[`\"']?([\\w-]*\\d[\\w-]*)[`\"']?)?|\\s+it\\b)";
const SEND = new RegExp(`\\b(?:type|send|enter)\\s+${QUOTED}\\s+(?:to|into)${PROCESS}`, "i");
const CHECK = new RegExp(`\\b(?:check|poll)(?:\\s+on)?${PROCESS}`, "i");
const KILL = new RegExp(`\\b(?:kill|stop)${PROCESS}`, "i");
const SUBAGENT_BACKGROUND = /\b(?:start|run)\s+a\s+subagent\s+in\s+the\s+background\s+(?:to|that)\s+([\s\S]+)/i;
const SUBAGENT_NAMED =
  /\b(check|wait for|kill|stop|tell)\s+(?:the\s+)?subagent\s+["'`]?(subagent-[0-9a-f]+)["'`]?(?:\s+to\s+([\s\S]+))?/i;
const SUBAGENT = /\b(?:ask|tell|let)\s+a\s+subagent\s+(?:to\s+)?([\s\S]+)/i;

/** The calls a sentence asks for; empty: none. `lastProcess`: the newest process id the tools have named. */
export function callsFor(sentence: string, lastProcess: string): DemoCall[] {
  return (
    subagentCalls(sentence) ??
    processCalls(sentence, lastProcess) ??
    fileCalls(sentence) ??
    commandCalls(sentence) ??
    []
  );
}

function processCalls(sentence: string, lastProcess: string): DemoCall[] | undefined {
  const send = SEND.exec(sentence);
  if (send) {
    const process_id = send[2] || lastProcess;
    return [
      { name: "input_command", args: { description: "Send input to the command", process_id, chars: `${send[1]}\n` } },
    ];
  }
  const check = CHECK.exec(sentence);
  if (check)
    return [
      { name: "input_command", args: { description: "Look at the command", process_id: check[1] || lastProcess } },
    ];
  const kill = KILL.exec(sentence);
  if (kill)
    return [{ name: "kill_command", args: { description: "Stop the command", process_id: kill[1] || lastProcess } }];
  return undefined;
}

/** First of all: what a subagent is asked for may be any sentence of the table. */
function subagentCalls(sentence: string): DemoCall[] | undefined {
  const background = SUBAGENT_BACKGROUND.exec(sentence)?.[1]?.trim();
  if (background) {
    const args = { description: "Start a subagent", prompt: background, run_in_background: true };
    return [{ name: "run_subagent", args }];
  }
  const named = SUBAGENT_NAMED.exec(sentence);
  if (named) {
    const [, verb = "", subagent_id, prompt = ""] = named;
    if (/kill|stop/i.test(verb))
      return [{ name: "kill_subagent", args: { description: "End the subagent", subagent_id } }];
    return [
      { name: "input_subagent", args: { description: "Look at the subagent", subagent_id, prompt: prompt.trim() } },
    ];
  }
  const prompt = SUBAGENT.exec(sentence)?.[1]?.trim();
  if (!prompt) return undefined;
  return [{ name: "run_subagent", args: { description: "Ask a subagent", prompt } }];
}

function fileCalls(sentence: string): DemoCall[] | undefined {
  const edit = EDIT.exec(sentence) ?? EDIT_BARE.exec(sentence);
  if (edit) return [{ name: "edit_file", args: { file_path: edit[3], old_string: edit[1], new_string: edit[2] } }];
  for (const pattern of CREATE) {
    const create = pattern.exec(sentence);
    if (create) return [{ name: "write_file", args: { file_path: create[1], content: unquote(create[2] ?? "") } }];
  }
  const image = IMAGE.exec(sentence);
  if (image) return [{ name: "read_image", args: { source: image[1] } }];
  for (const pattern of READ) {
    const read = pattern.exec(sentence);
    if (read) return [{ name: "read_file", args: { file_path: read[1] } }];
  }
  return undefined;
}

function commandCalls(sentence: string): DemoCall[] | undefined {
  const background = BACKGROUND.exec(sentence);
  if (background?.[1]) return [exec(background[1], { yield_time_ms: 250, run_in_background: true })];
  if (LIST.test(sentence)) return [exec("ls -la")];
  if (!RUN.test(sentence)) return undefined;
  const quoted = [...sentence.matchAll(/`([^`]+)`/g)].map((match) => exec(match[1] ?? ""));
  if (quoted.length > 0) return quoted;
  const bare = RUN_BARE.exec(sentence)?.[1]?.trim();
  return bare ? [exec(bare)] : undefined;
}

function exec(cmd: string, more: JsonObject = {}): DemoCall {
  return { name: "exec_command", args: { description: `Run ${cmd.slice(0, 60)}`, cmd, ...more } };
}

/** Fits a call to the tools that are really offered; null: none of them can do it. */
export function fitTo(call: DemoCall, tools: readonly DemoTool[]): DemoCall | null {
  const tool = tools.find((t) => t.name === call.name);
  if (tool) {
    const known = Object.entries(call.args).filter(([key]) => tool.properties.size === 0 || tool.properties.has(key));
    return { name: call.name, args: Object.fromEntries(known) };
  }
  const { file_path, content } = call.args;
  if (call.name !== "write_file" || typeof file_path !== "string" || typeof content !== "string") return null;
  return fitTo(
    exec(`printf %s ${shellWord(content)} > ${shellWord(file_path)}`),
    tools.filter((t) => t.name !== "write_file"),
  );
}

export function readTools(raw: readonly unknown[]): DemoTool[] {
  return raw.flatMap((item) => {
    const fn = asObject(asObject(item)?.function);
    if (typeof fn?.name !== "string") return [];
    const properties = asObject(asObject(fn.parameters)?.properties) ?? {};
    return [{ name: fn.name, properties: new Set(Object.keys(properties)) }];
  });
}

/** "…, then read it": the steps of a longer errand, one Request each. */
export function stages(prompt: string): string[] {
  const verbs =
    "run|execute|read|create|write|make|show|list|replace|change|start|kill|stop|think|send|type|check|count";
  return prompt.split(new RegExp(`[,.;]?\\s+(?:and\\s+)?then\\s+(?=(?:${verbs})\\b)`, "i"));
}

function unquote(text: string): string {
  const trimmed = text.trim();
  const match = /^([`"'])([\s\S]*)\1\.?$/.exec(trimmed);
  return match?.[2] ?? trimmed;
}
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
