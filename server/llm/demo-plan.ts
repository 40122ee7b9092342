/** Request body -> what the demo model will answer. A pure function: the same request, the same plan. */
import { callsFor, type DemoCall, fitTo, readTools, stages } from "./demo-phrases";
import {
  afterThoughts,
  comment,
  counting,
  INTRODUCTION,
  NOT_ALLOWED,
  numberedLines,
  SHOWCASE,
  shrug,
  summary,
  thoughts,
  WOKEN,
} from "./demo-texts";
import { asArray, asObject, asString, type JsonObject } from "./json";

export type Step = { kind: "thinking" | "text"; text: string } | { kind: "call"; name: string; args: string };
export interface Plan {
  steps: Step[];
  finish: "stop" | "tool_calls" | "length" | "cut" | "error" | "stall";
  /** Milliseconds between two pieces; absent: the usual pace. */
  pace?: number;
  /** Characters of a piece; 0: one line each. */
  piece?: number;
  /** An HTTP error instead of a stream. */
  http?: { status: number; type: string; code: string | null; message: string };
}

interface Message {
  role: string;
  text: string;
  calls: { id: string; name: string; args: string }[];
  answers: string;
}

const MAX_LINES = 2_000;
/** How the adapter introduces images that tools returned: not a prompt. */
const TOOL_IMAGE = /^Images? from tool call \S+:/;
const BLOCKS =
  /\[(turn_aborted|turn_retried|context_summary|use_skills|handoff_from|model_switch_from|scheduled_task|goal|background_task_done)\]\n[\s\S]*?\n\[\/\1\]\s*/g;

export function planAnswer(body: JsonObject): Plan {
  const messages = asArray(body.messages).map(readMessage);
  const lastUser = messages.findLastIndex((m) => m.role === "user" && !TOOL_IMAGE.test(m.text));
  const raw = messages[lastUser]?.text ?? "";
  const own = raw.replace(BLOCKS, "").trim();
  if (own.includes("[summary]") && /summar/i.test(own.replaceAll("[summary]", "")))
    return summarise(messages, lastUser);
  const prompt = promptOf(own);
  const report = /^\[background_task_done\]\nkind: (\S+)\nid: (\S+)\nstatus: (\S+)/.exec(raw);
  if (report) return say(`In the background, the ${report[1]} \`${report[2]}\` has ended: ${report[3]}.`);
  if (prompt === "") return say(WOKEN);
  if (asArray(body.tools).length === 0 && /\btitle\b/i.test(prompt.split("\n", 1)[0] ?? ""))
    return say(titleFor(prompt));
  const since = messages.slice(lastUser + 1);
  const rounds = since.filter((m) => m.calls.length > 0);
  const outputs = since.slice(since.findLastIndex((m) => m.calls.length > 0) + 1).filter((m) => m.role === "tool");
  const remarks = outputs.map((m) => {
    const call = rounds.at(-1)?.calls.find((c) => c.id === m.answers);
    return comment(call?.name ?? "", call?.args ?? "", m.text);
  });
  const stage = stages(prompt)[rounds.length];
  if (rounds.length > 0 && (stage === undefined || remarks.includes(NOT_ALLOWED))) {
    return say(remarks.join("\n\n") || "Done.");
  }
  return planStage(stage ?? prompt, raw, body, messages, remarks.join("\n\n"));
}

/** A request for a title, as clients send it beside the conversation: the first words of what it is about. */
function titleFor(prompt: string): string {
  const request = /\[request\]\n([\s\S]*?)\n\[\/request\]/.exec(prompt)?.[1];
  const lines = (request ?? prompt).split("\n").filter((line) => line.trim() !== "");
  const about = (request === undefined ? lines.at(-1) : lines[0]) ?? "";
  return about
    .replace(/[`"“”*#]/g, "")
    .trim()
    .split(/\s+/)
    .slice(0, 6)
    .join(" ");
}

function planStage(sentence: string, raw: string, body: JsonObject, messages: Message[], before: string): Plan {
  const tools = readTools(asArray(body.tools));
  const wanted = special(sentence, raw) ?? null;
  if (wanted) return wanted;
  const calls = callsFor(sentence, lastProcess(messages));
  if (calls.length === 0) return say(before ? `${before}\n\n${chat(sentence)}` : chat(sentence));
  const fitted = calls.map((call) => fitTo(call, tools));
  const missing = calls.filter((_, i) => fitted[i] === null).map((call) => `\`${call.name}\``);
  if (missing.length > 0)
    return say(`I would need the tool ${missing.join(", ")} for that, but it is not offered to me.`);
  const ready = fitted.filter((call) => call !== null);
  const opening = before ? `${before}\n\n${announce(ready)}` : announce(ready);
  return {
    steps: [{ kind: "text", text: opening }, ...ready.map((call) => callStep(call.name, JSON.stringify(call.args)))],
    finish: "tool_calls",
  };
}

/** Sentences that are about the stream itself. */
function special(sentence: string, raw: string): Plan | null {
  const text = sentence.trim();
  const failure = /\bfail with (\d{3}|context)\b/i.exec(text)?.[1];
  if (failure) return { steps: [], finish: "stop", http: httpFailure(failure.toLowerCase()) };
  if (/\bfail once\b/i.test(text)) {
    if (raw.includes("[turn_retried]")) return say("The second attempt worked: this is the whole answer.");
    return { ...say("This answer will break off in the middle, so that you can see a retry"), finish: "error" };
  }
  if (/^\s*stall\b|\bplease stall\b/i.test(text)) return { steps: [], finish: "stall" };
  if (/\bbreak off\b/i.test(text))
    return { ...say("This answer ends without a finish reason, because the connection"), finish: "cut" };
  if (/\brun out of tokens\b/i.test(text))
    return { ...say("This answer was cut by the output limit in the middle of a sen"), finish: "length" };
  if (/\bsay nothing\b/i.test(text)) return { steps: [], finish: "stop" };
  if (/\bbad arguments\b/i.test(text))
    return { steps: [callStep("exec_command", '{"cmd":"echo half a mess')], finish: "tool_calls" };
  if (/\bunknown tool\b/i.test(text)) return { steps: [callStep("no_such_tool", "{}")], finish: "tool_calls" };
  const topic = /\bthink (?:hard |carefully )?about ([\s\S]+)/i.exec(text)?.[1]?.replace(/[.!?]+$/, "");
  if (topic) {
    return {
      steps: [
        { kind: "thinking", text: thoughts(topic) },
        { kind: "text", text: afterThoughts(topic) },
      ],
      finish: "stop",
    };
  }
  const lines = /\bwrite (\d{1,5}) lines\b( slowly)?/i.exec(text);
  if (lines) return { ...say(numberedLines(bounded(lines[1] ?? "10"))), pace: lines[2] ? 200 : 40, piece: 0 };
  const count = /\bcount (slowly )?(?:from 1 )?to (\d{1,5})\b/i.exec(text);
  if (count) return { ...say(counting(bounded(count[2] ?? "10"))), pace: count[1] ? 200 : 40, piece: 0 };
  return null;
}

function chat(sentence: string): string {
  if (/\bmarkdown\b/i.test(sentence)) return SHOWCASE;
  const echo = /^\s*(?:please\s+)?(?:say|repeat)\s+([\s\S]+)/i.exec(sentence)?.[1];
  if (echo) return echo.replace(/^["“`']|["”`']$/g, "");
  if (/^\s*(?:hi|hello|hey|help|what can you do|who are you|你好|帮助)\b|^\s*(?:你好|帮助)/i.test(sentence))
    return INTRODUCTION;
  return shrug(sentence.trim());
}

function summarise(messages: Message[], lastUser: number): Plan {
  const earlier = messages.slice(0, lastUser);
  const prompts = earlier
    .filter((m) => m.role === "user")
    .map((m) => promptOf(m.text.replace(BLOCKS, "")).slice(0, 120).replace(/\s+/g, " "));
  return say(
    summary(
      prompts.filter(Boolean).slice(-20),
      earlier.flatMap((m) => m.calls.map((c) => c.name)),
    ),
  );
}

/** The person's own words: the newest steering, else everything. */
function promptOf(own: string): string {
  const steering = [...own.matchAll(/\[user_steering\]\n([\s\S]*?)\n\[\/user_steering\]/g)].at(-1)?.[1];
  return (steering ?? own).trim();
}

/** The newest process id that a tool output names. */
function lastProcess(messages: Message[]): string {
  const outputs = messages.filter((m) => m.role === "tool").map((m) => m.text);
  const ids = outputs.flatMap((text) => [...text.matchAll(/process_id[:= ]+["'`]?([\w-]+)/gi)]);
  return ids.at(-1)?.[1] ?? "";
}

function readMessage(raw: unknown): Message {
  const message = asObject(raw) ?? {};
  const parts = asArray(message.content).map((part) => asString(asObject(part)?.text));
  return {
    role: asString(message.role),
    text: asString(message.content) || parts.filter(Boolean).join("\n\n"),
    answers: asString(message.tool_call_id),
    calls: asArray(message.tool_calls).map((raw_call) => {
      const call = asObject(raw_call) ?? {};
      const fn = asObject(call.function) ?? {};
      return { id: asString(call.id), name: asString(fn.name), args: asString(fn.arguments) };
    }),
  };
}

function announce(calls: DemoCall[]): string {
  if (calls.length > 1) return `I will do ${calls.length} things at the same time.`;
  const call = calls[0];
  const what = asString(call?.args.cmd) || asString(call?.args.file_path);
  return what ? `I will use \`${call?.name}\` for \`${what.slice(0, 80)}\`.` : `I will use \`${call?.name}\`.`;
}

function say(text: string): Plan {
  return { steps: text === "" ? [] : [{ kind: "text", text }], finish: "stop" };
}
function callStep(name: string, args: string): Step {
  return { kind: "call", name, args };
}
function bounded(n: string): number {
  return Math.min(Math.max(Number(n), 1), MAX_LINES);
}

function httpFailure(asked: string): NonNullable<Plan["http"]> {
  if (asked === "context") {
    const message = "This model's maximum context length is 32000 tokens, but you asked for more.";
    return { status: 400, type: "invalid_request_error", code: "context_length_exceeded", message };
  }
  const status = Math.min(Math.max(Number(asked), 400), 599);
  const message = `The demo model was asked to fail with ${status}.`;
  if (status === 401) return { status, type: "authentication_error", code: "invalid_api_key", message };
  if (status === 429) return { status, type: "rate_limit_error", code: "rate_limit_exceeded", message };
  return { status, type: status >= 500 ? "server_error" : "invalid_request_error", code: null, message };
}
