/**
 * The page behind a share link, whole: no other request is needed to read it, and it can make none but to itself. The
 * same function draws the preview, so that both are the same bytes.
 */
import { createHash } from "node:crypto";
import type { SharedContent, SharedItem } from "../../lib/api/share";
import { sharePageWords as WORDS } from "../../lib/i18n/share-page";
import { type Language, textOf } from "../../lib/i18n/t";
import { escapeHtml } from "./markdown";
import { STYLE } from "./style";

/** An open page asks whether it still may be shown; it is gone when it may not. */
const SCRIPT = `(()=>{let busy=false;const look=()=>{if(busy||document.visibilityState!=="visible")return;busy=true;fetch(location.pathname,{method:"HEAD",cache:"no-store",redirect:"manual"}).then(({status,type})=>{if(status===404||status===401||type==="opaqueredirect")location.reload()}).catch(()=>{}).finally(()=>{busy=false})};setInterval(look,2000);for(const event of["visibilitychange","pageshow","focus"])addEventListener(event,look)})()`;

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What goes with every answer of a share link. No store, no framing, no search engine, no address to other sites. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${hash(STYLE)}`,
    `script-src ${hash(SCRIPT)}`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cross-origin-resource-policy": "same-origin",
  vary: "Cookie, Accept-Language",
};

type Say = (key: keyof typeof WORDS, params?: Record<string, string | number>) => string;

/** Words in a language, as HTML. */
function wordsIn(language: Language): Say {
  return (key, params = {}) => escapeHtml(textOf(WORDS[key][language === "zh" ? 1 : 0], params));
}

function day(at: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(at));
}

interface Shell {
  language: Language;
  title: string;
  body: string;
  script?: string;
}

function shell({ language, title, body, script }: Shell): string {
  const name = escapeHtml(title);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta property="og:title" content="${name}">
<meta property="og:site_name" content="PenguinHarness">
<title>${name} · PenguinHarness</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
${body}
${script ? `<script>${script}</script>\n` : ""}</body>
</html>
`;
}

/** The copy as a page. */
export function sharePage(content: SharedContent, language: Language): string {
  const say = wordsIn(language);
  const facts = [
    say("frozen", { at: day(content.at, language) }),
    say("turns", { count: content.turns.length }),
    ...(content.by === undefined ? [] : [say("by", { name: content.by })]),
  ];
  const turns = content.turns.map(({ items }, i) => {
    const title = say("turn", { number: i + 1 });
    return `<section aria-label="${title}">\n${items.map((item) => drawItem(item, say)).join("\n")}\n</section>`;
  });
  const body = `<a class="skip" href="#conversation">${say("skip")}</a>
<header>
<p class="brand">PenguinHarness</p>
<h1>${escapeHtml(content.title)}</h1>
<p class="facts">${facts.join(" · ")}</p>
<p class="lead">${say("lead")}</p>
</header>
<main id="conversation">
${turns.join("\n")}
</main>
<footer>${say("marks")}</footer>`;
  return shell({ language, title: content.title, body, script: SCRIPT });
}

function drawItem(item: SharedItem, say: Say): string {
  switch (item.kind) {
    case "prompt": {
      const named = item.author !== undefined;
      const name = item.from_file ? say("from_file", { name: item.author ?? "" }) : escapeHtml(item.author ?? "");
      const label = named ? say("prompt_by", { name: item.author ?? "" }) : say("prompt");
      const author = named ? `<p class="author">${name}</p>` : "";
      const text = item.text === "" ? "" : `<p class="pre">${escapeHtml(item.text)}</p>`;
      const left = item.left_out ? `<p class="note">${say("left_out", { count: item.left_out })}</p>` : "";
      return `<article class="prompt" aria-label="${label}">${author}<div>${text}${left}</div></article>`;
    }
    case "answer":
      return `<article class="answer" aria-label="${say("answer")}">${item.html}</article>`;
    case "thinking":
      return `<details class="work"><summary>${say("thinking")}</summary><div class="answer">${item.html}</div></details>`;
    case "tool": {
      const part = (title: string, text: string) =>
        `<p class="part">${title}</p><pre tabindex="0">${escapeHtml(text)}</pre>`;
      const output = item.output === undefined ? "" : part(say("output"), item.output);
      return `<details class="work"><summary>${say("tool", { name: item.name })}</summary>${part(say("arguments"), item.arguments)}${output}</details>`;
    }
    case "picture":
      return `<p class="note">${say("picture")}</p>`;
    case "stopped":
      return `<p class="note">${say("stopped")}</p>`;
  }
}

/** The one answer for every link that leads nowhere, whatever the reason. */
export function gonePage(language: Language): string {
  const say = wordsIn(language);
  const body = `<main class="gone"><h1>${say("gone_title")}</h1><p>${say("gone")}</p></main>`;
  return shell({ language, title: WORDS.gone_title[language === "zh" ? 1 : 0], body });
}
