/**
 * What an uploaded Trace must be (product rules: IM1): decided line by line while it streams past, in constant memory.
 * Checks the envelope and the discriminating fields only; unknown kinds and fields of other versions pass.
 */
import { isUtf8 } from "node:buffer";
import type { ErrorCode } from "../../lib/api/errors";
import { isSessionMeta } from "../../lib/omni/guards";
import type { OmniMessage } from "../../lib/omni/message";
import { LineSplitter, parseLine, type RawLine } from "../../lib/trace/jsonl";
import { isSessionId } from "../../lib/trace/name";
import { isFar, parseFar } from "./far-parse";
import { Pace } from "./scan";

export interface Refusal {
  ok: false;
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}
export interface DamagedLineView {
  line: number;
  error: string;
}
export interface Checked {
  ok: true;
  session_id: string;
  /** Timestamp of the first record, as written. */
  timestamp: string;
  damaged: DamagedLineView[];
  /** All of them; `damaged` names at most the first 1,000. */
  damaged_total: number;
  /** Physical lines, blank and damaged ones too. */
  lines: number;
}

const MAX_NAMED = 1000;

export function refusal(message: string, line?: number): Refusal {
  const details = line === undefined ? undefined : { line };
  return { ok: false, code: "invalid_trace", message, ...(details ? { details } : {}) };
}

/** Does a file that begins like this look like UTF-16? Names the byte order, or answers null. */
function utf16(head: Uint8Array): string | null {
  const [a, b, c, d] = head;
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0 && c !== 0 && d === 0)) return "UTF-16 (little-endian)";
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && c === 0 && d !== 0)) return "UTF-16 (big-endian)";
  return null;
}

/** A line cut in the middle of a character is damage, as a crash makes it; any other wrong byte is another encoding. */
function isOtherEncoding(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return false;
  return [1, 2, 3].every((cut) => {
    const rest = bytes.subarray(0, -cut);
    const lead = bytes[bytes.length - cut] ?? 0;
    return lead < 0xc2 || lead > 0xf4 || !isUtf8(rest);
  });
}

export class ImportCheck {
  readonly #splitter = new LineSplitter();
  readonly #pace = new Pace();
  readonly #damaged: DamagedLineView[] = [];
  #damagedTotal = 0;
  #lineCount = 0;
  #meta: { session_id: string; timestamp: string } | null = null;
  #head: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /** `headless`: a later file of a Session, whose meta a crash may have cut off (RS6); its id is "" then. */
  constructor(private readonly options: { headless?: boolean } = {}) {}

  /** The next part of the file; a refusal ends the import. */
  async push(chunk: Uint8Array): Promise<Refusal | null> {
    if (this.#bytes < 4) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, 4)]);
      const name = this.#head.length >= 4 ? utf16(this.#head) : null;
      if (name) return refusal(`The file is ${name}. A Trace is UTF-8.`, 1);
    }
    this.#bytes += chunk.length;
    return this.#lines(this.#splitter.push(chunk));
  }

  async end(): Promise<Refusal | Checked> {
    if (this.#bytes === 0) return refusal("The file is empty.");
    const refused = await this.#lines(this.#splitter.end());
    if (refused) return refused;
    const meta = this.#meta ?? (this.options.headless ? { session_id: "", timestamp: "" } : null);
    if (meta) {
      return { ok: true, ...meta, damaged: this.#damaged, damaged_total: this.#damagedTotal, lines: this.#lineCount };
    }
    const [first] = this.#damaged;
    if (!first) return refusal("The file holds no records.");
    return refusal(`Line ${first.line} is not a session_meta record: ${first.error}.`, first.line);
  }

  async #lines(lines: RawLine[]): Promise<Refusal | null> {
    for (const raw of lines) {
      this.#lineCount = raw.line;
      const refused = await this.#line(raw);
      if (refused) return refused;
      if (this.#pace.due) await this.#pace.rest();
    }
    return null;
  }

  async #line(raw: RawLine): Promise<Refusal | null> {
    const far = isFar(raw);
    const parsed = far ? await parseFar(raw, "outline") : parseLine(raw);
    if (!parsed) return null;
    if ("message" in parsed) {
      // FF 2.1: a part of the envelope; some files leave it out.
      const timestamp: unknown = parsed.message.timestamp;
      if (timestamp === undefined || typeof timestamp === "string") return this.#record(raw.line, parsed.message);
      return this.#damage(raw.line, "its timestamp is not a string");
    }
    if (parsed.error === "not UTF-8" && (far || isOtherEncoding(raw.bytes)))
      return refusal(`Line ${raw.line} is not UTF-8.`, raw.line);
    return this.#damage(raw.line, parsed.error);
  }

  #damage(line: number, error: string): null {
    this.#damagedTotal++;
    if (this.#damaged.length < MAX_NAMED) this.#damaged.push({ line, error });
    return null;
  }

  #record(line: number, message: OmniMessage): Refusal | null {
    if (!isSessionMeta(message)) {
      if (this.#meta || this.options.headless) return null;
      const [broken] = this.#damaged;
      return broken
        ? refusal(`Line ${broken.line} is not a session_meta record: ${broken.error}.`, broken.line)
        : refusal(`Line ${line} is not a session_meta, the first record of a Trace.`, line);
    }
    const id: unknown = message.payload.session_id;
    if (typeof id !== "string" || !isSessionId(id)) {
      return refusal(`Line ${line}: session_id is missing or not made of letters, digits, "_" and "-".`, line);
    }
    if (this.#meta && this.#meta.session_id !== id)
      return refusal(`Line ${line} is the session_meta of another Session (${id}).`, line);
    this.#meta ??= { session_id: id, timestamp: message.timestamp };
    return null;
  }
}
