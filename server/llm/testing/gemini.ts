/** The Gemini protocol as a fake vendor speaks it: no ids on calls, signatures on parts. */
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../json";
import { extras, halves, seal, sse, type Wire, type WirePart, type WireUsage } from "./wire";

/** A signature belongs to its part. */
export const callSignature = (name: string, args: unknown) => seal("call", `${name} ${JSON.stringify(args)}`);
const textSignature = (text: string) => seal("text", text);
/** What the vendor lets through where a history has lost its signatures. */
const ESCAPE = "skip_thought_signature_validator";

function chunk(parts: JsonObject[], finishReason?: string, usage?: WireUsage): string {
  const content = { role: "model", parts };
  const candidate = { index: 0, content, ...(finishReason === undefined ? {} : { finishReason }) };
  return sse({ candidates: [candidate], modelVersion: "m", ...(usage ? { usageMetadata: usageOf(usage) } : {}) });
}

/** Arguments that are no JSON object cannot be spelt in this protocol. */
function argsOf(args: string): JsonObject | undefined {
  return args.trim() === "" ? undefined : asObject(parseJson(args)?.value);
}

/** Only the first call of an answer carries a signature. */
function spell(parts: WirePart[]): JsonObject[] {
  let signed = false;
  return parts.flatMap((part): JsonObject[] => {
    if ("hidden" in part) return [{ text: "", thoughtSignature: textSignature("") }];
    if ("thinking" in part) return halves(part.thinking).map((text) => ({ text, thought: true }));
    if ("text" in part) return halves(part.text).map((text) => ({ text }));
    const { name } = part.call;
    const args = argsOf(part.call.args);
    const mark = signed ? {} : { thoughtSignature: callSignature(name, args ?? {}) };
    signed = true;
    return [{ functionCall: { name, ...(args ? { args } : {}) }, ...mark }];
  });
}

function usageOf({ fresh, cached, created, output }: WireUsage): JsonObject {
  const promptTokenCount = fresh + cached + created;
  const thoughtsTokenCount = Math.floor(output / 2);
  return {
    promptTokenCount,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - thoughtsTokenCount,
    thoughtsTokenCount,
    totalTokenCount: promptTokenCount + output,
  };
}

export const geminiWire: Wire = {
  answer(parts, end, usage) {
    const spelled = spell(parts).map((part) => chunk([part]));
    if (end === "none") return spelled.join("");
    return spelled.join("") + chunk([{ text: "" }], end === "length" ? "MAX_TOKENS" : "STOP", usage);
  },
  error(kind, message) {
    const status = {
      auth: [400, "INVALID_ARGUMENT"],
      rate_limit: [429, "RESOURCE_EXHAUSTED"],
      server: [503, "UNAVAILABLE"],
      refused: [400, "INVALID_ARGUMENT"],
      context: [400, "INVALID_ARGUMENT"],
    }[kind];
    const told = {
      auth: `API key not valid. Please pass a valid API key. (${message})`,
      context: `The input token count (1200000) exceeds the maximum number of tokens allowed (1048576). ${message}`,
    };
    const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" };
    return JSON.stringify({
      error: {
        code: status[0],
        message: kind === "auth" || kind === "context" ? told[kind] : message,
        status: status[1],
        ...(kind === "auth" ? { details: [info] } : {}),
      },
    });
  },
  errorInside(text, message) {
    return chunk([{ text }]) + sse({ error: { code: 503, message, status: "UNAVAILABLE" } });
  },
  illegal: geminiIllegal,
  asks: (path) => /\/v1(beta|alpha)?\/models\/[^/:]+:streamGenerateContent$/.test(path) && !/\/v1\/v1/.test(path),
  models: (ids) =>
    JSON.stringify({
      models: ids.map((id) => ({ name: `models/${id}`, supportedGenerationMethods: ["generateContent"] })),
    }),
};

const TOP = ["contents", "systemInstruction", "tools", "generationConfig"];
const DATA = ["text", "inlineData", "fileData", "functionCall", "functionResponse"];

function geminiIllegal(body: JsonObject, headers: Readonly<Record<string, unknown>>, path: string): string[] {
  const bad = extras(body, TOP, "body");
  if (!headers["x-goog-api-key"]) bad.push("no key");
  if (/[?&]key=/.test(path)) bad.push("the key stands in the address");
  const contents = asArray(body.contents).map((c) => asObject(c) ?? {});
  if (contents.length === 0) bad.push("contents is not specified");
  if (contents.at(-1)?.role !== "user") bad.push("the last content must be of the user");
  let owed: JsonObject[] = [];
  contents.forEach((content, i) => {
    const at = `contents.${i}`;
    bad.push(...extras(content, ["role", "parts"], at));
    if (content.role !== "user" && content.role !== "model") bad.push(`${at}: role ${content.role}`);
    if ((contents[i - 1]?.role ?? "model") === content.role) bad.push(`${at}: roles must alternate, the user first`);
    const parts = partsOf(content);
    if (parts.length === 0) bad.push(`${at}: parts must not be empty`);
    for (const part of parts) bad.push(...partProblems(part, asString(content.role), at));
    const answers = members(parts, "functionResponse");
    bad.push(...pairProblems(owed, answers, at));
    owed = members(parts, "functionCall");
  });
  if (owed.length > 0) bad.push("end: function calls without a response");
  return [...bad, ...signatureProblems(contents)];
}

const members = (parts: JsonObject[], key: string) => parts.map((part) => part[key]).filter(isObject);
const partsOf = (content: JsonObject) => asArray(content.parts).map((part) => asObject(part) ?? {});

function partProblems(part: JsonObject, role: string, at: string): string[] {
  const bad = extras(part, [...DATA, "thoughtSignature"], at);
  const data = DATA.filter((key) => part[key] !== undefined);
  if (data.length !== 1) bad.push(`${at}: required oneof field 'data' must have one initialized field, has [${data}]`);
  if (part.text === "" && part.thoughtSignature === undefined) bad.push(`${at}: empty text`);
  if (part.thoughtSignature !== undefined && role !== "model") bad.push(`${at}: a signature of ${role}`);
  const call = asObject(part.functionCall);
  if (call) bad.push(...callProblems(call, role, at));
  const signed = part.thoughtSignature;
  const own = call ? callSignature(asString(call.name), call.args ?? {}) : textSignature(asString(part.text));
  if (signed !== undefined && signed !== own && signed !== ESCAPE) bad.push(`${at}: Corrupted thought signature`);
  return bad;
}

function callProblems(call: JsonObject, role: string, at: string): string[] {
  const bad = extras(call, ["id", "name", "args"], `${at}.functionCall`);
  // This vendor gives no ids: what it gets must not be made up from names.
  if (call.id !== undefined && asString(call.id).startsWith(asString(call.name))) bad.push(`${at}: made-up id`);
  if (role !== "model" || asString(call.name) === "") bad.push(`${at}: function call of ${role}, name ${call.name}`);
  if (call.args !== undefined && !isObject(call.args)) bad.push(`${at}: args are no object`);
  return bad;
}

function pairProblems(owed: JsonObject[], answers: JsonObject[], at: string): string[] {
  if (owed.length !== answers.length) {
    return [`${at}: the number of function response parts must equal the number of function call parts`];
  }
  return answers.flatMap((answer, i) => [
    ...extras(answer, ["id", "name", "response", "parts"], `${at}.functionResponse`),
    ...(answer.id === owed[i]?.id ? [] : [`${at}: response to ${answer.id} for the call ${owed[i]?.id}`]),
    ...(answer.name === owed[i]?.name ? [] : [`${at}: response of ${answer.name} for a call of ${owed[i]?.name}`]),
    ...(isObject(answer.response) ? [] : [`${at}: response is no object`]),
  ]);
}

/** In the current turn the first call of every step carries its signature. */
function signatureProblems(contents: JsonObject[]): string[] {
  const turn = contents.findLastIndex(
    (c) => c.role === "user" && partsOf(c).some((part) => part.functionResponse === undefined),
  );
  return contents.slice(Math.max(turn, 0)).flatMap((content) => {
    const call = partsOf(content).find((part) => part.functionCall !== undefined);
    return call && call.thoughtSignature === undefined ? ["Function call is missing a thought_signature"] : [];
  });
}
