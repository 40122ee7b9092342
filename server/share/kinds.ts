/**
 * What a secret looks like: the kinds of `docs/shares.md`. Every shape is linear in the length of the text: bodies are
 * runs of one class of characters, and a run is tried from its beginning only.
 */

import type { MaskKind } from "../../lib/api/share";

/** What stands for something that was taken out. The brackets mean nothing to Markdown, and no shape matches them. */
export const mark = (what: "secret" | "path" | "workspace" | "name" | "hidden") => `‹${what}›`;
const SECRET = mark("secret");
/** A text as a part of a regular expression that fits it alone. */
export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Counts what is replaced. */
export type Note = (kind: MaskKind, count: number) => void;

interface Shape {
  kind: MaskKind;
  /** One of these must occur, or nothing is looked for. */
  hints: readonly string[];
  /** Group 1 stays, group 2 goes. */
  shape: RegExp;
  /** May the found text be one? */
  is?: (found: string) => boolean;
}

/** Where a word begins, also behind `\n` as it stands inside of JSON. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))()`;
const shape = (kind: MaskKind, hints: readonly string[], body: string, is?: Shape["is"]): Shape => ({
  kind,
  hints,
  shape: new RegExp(`${START}(${body})`, "g"),
  ...(is ? { is } : {}),
});
const hasDigit = (text: string) => /\d/.test(text);

const SHAPES: readonly Shape[] = [
  shape("aws_key", ["AKIA", "ASIA", "ABIA", "ACCA"], "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
  shape("github_token", ["gh", "github_pat_"], "gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255}"),
  shape("gitlab_token", ["gl"], "gl(?:pat|rt|dt|ptt|soat|ft|cbt|agent|oas|imt|ffct)-[A-Za-z0-9_-]{20,255}"),
  shape("slack_token", ["xox", "xapp-"], "xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-[A-Za-z0-9-]{20,255}"),
  {
    kind: "webhook",
    hints: ["hooks.slack.com/", "/api/webhooks/", "webhook.office.com/"],
    shape:
      /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/)([\w/@-]{20,400})/g,
  },
  // OpenAI, Anthropic, OpenRouter and those who spell theirs alike.
  shape("model_vendor_key", ["sk-"], "sk-[A-Za-z0-9_-]{16,255}", hasDigit),
  shape(
    "model_vendor_key",
    ["hf_", "gsk_", "xai-", "pplx-", "r8_", "nvapi-", "fw_", "tgp_v1_"],
    "(?:hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{36,}|nvapi-[A-Za-z0-9_-]{40,}|fw_[A-Za-z0-9]{20,}|tgp_v1_[A-Za-z0-9_-]{30,})",
    hasDigit,
  ),
  shape(
    "google_key",
    ["AIza", "ya29.", "GOCSPX-", "AQ."],
    "AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|AQ\\.[A-Za-z0-9_-]{30,}",
  ),
  shape(
    "payment_key",
    ["k_live_", "k_test_", "whsec_"],
    "[srp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,}",
  ),
  shape(
    "service_token",
    [
      "npm_",
      "pypi-",
      "SG.",
      "dckr_pat_",
      "hvs.",
      "ATATT",
      "shp",
      "lin_api_",
      "ntn_",
      "dapi",
      "_v1_",
      "glsa_",
      "sntrys_",
    ],
    "npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}|dckr_pat_[A-Za-z0-9_-]{20,}|hvs\\.[A-Za-z0-9_-]{20,}|ATATT[A-Za-z0-9_=-]{50,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|lin_api_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}|dapi[a-f0-9]{32}|do[opr]_v1_[a-f0-9]{64}|glsa_[A-Za-z0-9_]{32,}|sntrys_[A-Za-z0-9_=+/-]{40,}",
  ),
  shape("telegram_token", [":AA"], "[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}"),
  // The second part of an encrypted one may be empty, as in our own session cookie.
  shape(
    "jwt",
    ["eyJ"],
    "eyJ[A-Za-z0-9_-]{8,}\\.(?:[A-Za-z0-9_-]{8,}|(?=\\.[A-Za-z0-9_-]{8,}))(?:\\.[A-Za-z0-9_-]{0,2000}){0,3}",
  ),
  shape("penguin_token", ["pht."], "pht\\.[a-z][a-z0-9_]{1,31}\\.[0-9a-f]{12}\\.[A-Za-z0-9_-]{20,}"),
  { kind: "penguin_token", hints: ["/share/"], shape: /(\/share\/)([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g },
  { kind: "penguin_token", hints: ["/sign-in/link#"], shape: /(\/sign-in\/link#)([\w.%-]{20,200})/g },
  { kind: "url_password", hints: ["://"], shape: /(:\/\/)([^\s/@:"'<>‹]{0,128}:[^\s/@"'<>‹]{1,256})(?=@)/g },
  { kind: "url_password", hints: ["://"], shape: /(:\/\/)([A-Za-z0-9_-]{16,256})(?=@)/g },
  {
    kind: "url_password",
    hints: ["?", "&"],
    shape:
      /([?&](?:access_token|refresh_token|id_token|token|key|api[_-]?key|sig|signature|x-amz-signature|x-amz-security-token|x-amz-credential|code|client_secret|secret|password)=)([^&\s"'<>#)‹]{6,2000})/gi,
  },
  {
    kind: "auth_header",
    hints: ["uthorization", "UTHORIZATION"],
    shape:
      /(authorization\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?(?:(?:bearer|basic|token|digest|apikey|negotiate)[ \t]{1,3})?)([^\s"'\\,;<>‹]{6,4000})/gi,
  },
  {
    kind: "auth_header",
    hints: ["earer ", "asic ", "EARER "],
    shape: /((?<![A-Za-z])(?:bearer|basic)[ \t]{1,3})([A-Za-z0-9._~+/=-]{16,4000})/gi,
    is: hasDigit,
  },
  {
    kind: "auth_header",
    hints: ["-u", "--user", "sshpass"],
    shape:
      /((?<![\w-])(?:(?:-u|--user)[ =]{0,2}["']?[^\s:"'‹/]{1,64}:|sshpass[ ]{1,3}-p[ ]{0,3}["']?))([^\s"'‹]{4,256})/g,
    // `-u 1000:1000` is no password.
    is: (found) => /\D/.test(found),
  },
  {
    kind: "auth_header",
    hints: ['auth"'],
    shape: /("_?auth\\?"[ \t]{0,3}:[ \t]{0,3}\\?")([A-Za-z0-9+/=]{12,2000})/g,
  },
  {
    kind: "auth_header",
    hints: ["login "],
    shape: /((?<![\w-])login[ \t]{1,4}[^\s‹]{1,128}\s{1,8}password[ \t]{1,4})([^\s"'‹]{4,256})/g,
    is: hasDigit,
  },
  {
    kind: "private_key",
    // `PRIVATE KEY` as base64 spells it, by where it begins.
    hints: ["UFJJVkFURSBLRV", "BSSVZBVEUgS0VZ", "QUklWQVRFIEtFW"],
    shape:
      /((?<![A-Za-z0-9+/]))([A-Za-z0-9+/]{16,64}(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)(?:[A-Za-z0-9+/=]|\s(?=[A-Za-z0-9+/=]{20})){0,20000})/g,
  },
  {
    kind: "auth_header",
    hints: ["ookie:", "OOKIE:"],
    shape: /((?<![A-Za-z])(?:set-)?cookie:[ \t]{0,3})([^\r\n"'‹]{6,4000})/gi,
  },
];

/** The texts of one kind out. Group 2 of each match is replaced. */
function withoutShape(text: string, { kind, hints, shape, is }: Shape, note: Note): string {
  if (!hints.some((hint) => text.includes(hint))) return text;
  return text.replace(shape, (whole: string, kept: string, found: string) => {
    if (is && !is(found)) return whole;
    note(kind, 1);
    return kept + SECRET;
  });
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

/** Whole PEM blocks; of one whose end is missing what can belong to it. */
function withoutPrivateKeys(text: string, note: Note): string {
  if (!text.includes("PRIVATE KEY")) return text;
  let [out, at] = ["", 0];
  KEY_BEGIN.lastIndex = 0;
  for (let begin = KEY_BEGIN.exec(text); begin; begin = KEY_BEGIN.exec(text)) {
    KEY_END.lastIndex = KEY_BEGIN.lastIndex;
    const end = KEY_END.exec(text);
    const body = /[A-Za-z0-9+/=\s\\:,-]*/y;
    body.lastIndex = KEY_BEGIN.lastIndex;
    body.exec(text);
    const to = end ? KEY_END.lastIndex : Math.max(body.lastIndex, KEY_BEGIN.lastIndex);
    out += text.slice(at, begin.index) + SECRET;
    note("private_key", 1);
    at = to;
    KEY_BEGIN.lastIndex = to;
  }
  return out + text.slice(at);
}

// ---- settings -----------------------------------------------------------------------------------------------------

const WORDS =
  "pass(?:word|wd|phrase|code)|[_-]pwd|[_-]pass|secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|(?:private|account|signing|encryption|auth|master|shared[_-]?access)[_-]?key|credentials?";
/** A name that ends with such a word, and what stands between it and its value. */
const SETTING = new RegExp(
  String.raw`(?:${WORDS})[0-9_]{0,4}(?:\\?["'\x60]|[*_\x60]{1,3})?[ \t]{0,4}(=>|:=|==?=?|:)[*_]{0,3}[ \t]{0,4}`,
  "gi",
);
/** The same as an option of a command. */
const OPTION = new RegExp(String.raw`(?<![\w-])--?[\w-]{0,40}?(?:${WORDS})[ \t]{1,4}(?=[^\s-])`, "gi");
const QUOTED = /(\\?["'`])((?:(?!\1)[^\n]){1,512})\1/y;
const BARE = /[^\s"'`,;&|(){}[\]<>‹›]{1,256}/y;

/** Words that stand where a value would. */
const NO_VALUE =
  /^(?:\*+|x{3,}|\.{3,}|…|-+|null|none|nil|undefined|true|false|string|str|number|int|boolean|bool|any|required|optional|secret|password|passwd|token|redacted|hidden|example|placeholder|changeme|include|omit|same-origin|your[\w -]*|my[_-][\w-]*|<.*|\$.*|%[\w%({].*|\{\{.*|@\w+.*|‹.*)$/i;
/** Code that fetches one. */
const CODE =
  /^(?:os|process|env|config|settings|self|this|req|request|args?|ctx|props|import|await|new|get\w*|z|t)[.[(]/;

function isValue(value: string, { quoted, tight, next }: { quoted: boolean; tight: boolean; next: string }): boolean {
  if (value.includes("‹") || NO_VALUE.test(value) || CODE.test(value)) return false;
  if (quoted) return value.length >= 4 && (!/\s/.test(value) || /[\d\W]/.test(value.replace(/\s/g, "")));
  if (value.length < 6 || next === "(" || next === "[") return false;
  if (/[\d!@#$%^&*+/=~]/.test(value)) return true;
  // `NAME=value` says enough; a colon may stand in a sentence or before a type, and in code names stand for values.
  return tight && next !== "," && next !== ")" && !/^[A-Za-z_]\w*(?:\.\w+)+$/.test(value);
}

/** `DB_PASSWORD=…`, `"api_key": "…"`, `token: …`, `--password …`. */
function withoutSettings(text: string, note: Note): string {
  for (const names of [SETTING, OPTION]) {
    let [out, at] = ["", 0];
    names.lastIndex = 0;
    for (let name = names.exec(text); name; name = names.exec(text)) {
      const from = names.lastIndex;
      QUOTED.lastIndex = from;
      const quoted = QUOTED.exec(text);
      BARE.lastIndex = from;
      const bare = quoted ? null : BARE.exec(text);
      const value = quoted?.[2] ?? bare?.[0] ?? "";
      const start = from + (quoted?.[1]?.length ?? 0);
      const end = start + value.length;
      const tight = names === OPTION || (name[1] !== ":" && !/[ \t]$/.test(name[0]));
      if (!isValue(value, { quoted: quoted !== null, tight, next: text[end] ?? "" })) continue;
      note("setting", 1);
      out += text.slice(at, start) + SECRET;
      at = end;
      names.lastIndex = end;
    }
    text = out + text.slice(at);
  }
  return text;
}

/** Each takes the secrets of its kinds out of a text. */
export const STEPS: readonly ((text: string, note: Note) => string)[] = [
  withoutPrivateKeys,
  ...SHAPES.map((one) => (text: string, note: Note) => withoutShape(text, one, note)),
  withoutSettings,
];

/** Every kind that can be found, in the order of `docs/shares.md`. */
export const KINDS: readonly MaskKind[] = [
  "vault_value",
  "model_key",
  "server_secret",
  ...new Set<MaskKind>(["private_key", ...SHAPES.map(({ kind }) => kind), "setting"]),
];
