/** The chosen turns of a Session as a copy for readers: what was said, and what else was chosen. */
import type { ShareChoice, SharedContent, SharedItem } from "../../lib/api/share";
import type { RecordAddress } from "../../lib/omni/message";
import type { Item, TaskBlock } from "../../lib/trace/transcript-items";
import { Pace } from "../trace/scan";
import { mark } from "./kinds";
import { asIs, escapeHtml, piecesOf, renderMarkdown } from "./markdown";
import type { Mask } from "./mask";

/** One text of a copy, and all of them. Characters. */
const MAX_TEXT = 100_000;
const MAX_COPY = 2_000_000;
/** A secret that lies across the end of what is kept is found whole. */
const BEYOND = 8_000;

export interface FreezeOptions extends Pick<ShareChoice, "tools" | "thinking" | "names"> {
  mask: Mask;
  /** A person as readers see them; people in imported lines are strangers. */
  personOf(user: string, at: RecordAddress | undefined): { author: string; from_file?: true };
}

/** null: more than a copy holds. Turns with nothing in them for readers are left out. */
export async function freeze(
  blocks: readonly TaskBlock[],
  options: FreezeOptions,
): Promise<SharedContent["turns"] | null> {
  const turns: SharedContent["turns"] = [];
  let size = 0;
  for (const block of blocks) {
    const items: SharedItem[] = [];
    for (const item of block.items) {
      const shared = await sharedItem(item, options);
      if (!shared) continue;
      size += JSON.stringify(shared).length;
      if (size > MAX_COPY) return null;
      items.push(shared);
    }
    if (items.length > 0) turns.push({ items });
  }
  return turns;
}

async function sharedItem(item: Item, options: FreezeOptions): Promise<SharedItem | null> {
  const { mask, names, personOf } = options;
  switch (item.kind) {
    case "prompt":
    case "steering": {
      // What machines say to the model stands beside the conversation.
      if (item.kind === "prompt" && item.sender && !["user", "parent_agent"].includes(item.sender)) return null;
      const left_out = item.images.length + (item.files?.length ?? 0);
      const text = await clean(item.text, mask);
      if (text === "" && left_out === 0) return null;
      const author = names && item.author ? personOf(item.author, item.address) : {};
      return { kind: "prompt", text, ...author, ...(left_out > 0 ? { left_out } : {}) };
    }
    case "thinking":
    case "text": {
      if (item.kind === "thinking" && !options.thinking) return null;
      const html = await drawn(await clean(item.text, mask), mask);
      return html === "" ? null : { kind: item.kind === "text" ? "answer" : "thinking", html };
    }
    case "tool": {
      if (!options.tools) return null;
      const output = item.output ? { output: await clean(item.output.text, mask) } : {};
      return {
        kind: "tool",
        name: await clean(item.name, mask),
        arguments: await clean(withoutEscapes(item.arguments), mask),
        ...output,
      };
    }
    case "media":
      return { kind: "picture" };
    case "abort":
      return { kind: "stopped" };
    default:
      return null;
  }
}

/** A text without what is masked, cut where it is too long. */
async function clean(given: unknown, mask: Mask): Promise<string> {
  const whole = typeof given === "string" ? given : headOf(given);
  const text = await mask.text(whole.slice(0, MAX_TEXT + BEYOND));
  return whole.length > MAX_TEXT || typeof given !== "string" ? `${text.slice(0, MAX_TEXT)} …` : text;
}

/** Arguments as a model wrote them, with letters that it spelt as `\u0041` or `\/` as what they are. */
function withoutEscapes(given: unknown): unknown {
  if (typeof given !== "string" || !/\\[u/]/.test(given)) return given;
  try {
    return JSON.stringify(JSON.parse(given));
  } catch {
    return given;
  }
}

function headOf(given: unknown): string {
  if (typeof given !== "object" || given === null || !("head" in given)) return "";
  return typeof given.head === "string" ? given.head : "";
}

/** Drawn piece by piece. What Markdown puts together anew (`s\k-…`) is looked at once more, and then shown as it is. */
async function drawn(text: string, mask: Mask): Promise<string> {
  const html: string[] = [];
  const pace = new Pace();
  for (const piece of piecesOf(text)) {
    if (piece.trim() === "") continue;
    const rendered = renderMarkdown(piece);
    if (!(await mask.finds(rendered.text))) html.push(rendered.html);
    else {
      const masked = await mask.text(rendered.text);
      html.push((await mask.finds(masked)) ? `<p>${escapeHtml(mark("secret"))}</p>` : asIs(masked).html);
    }
    if (pace.due) await pace.rest();
  }
  return html.join("\n");
}
