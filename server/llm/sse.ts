/** Bytes of a `text/event-stream` -> the data of its events, whatever the chunking. */

/** Text outside any field that is kept, so that a JSON or HTML answer can be read and shown. Characters. */
const STRAY_LIMIT = 64 * 1024;
const LF = 10;
const CR = 13;

/**
 * Lenient where servers are sloppy: CR, LF and CRLF end a line, comments are skipped, a last event without its blank
 * line counts. Lines that are no field at all are collected in `stray`.
 */
export class SseDecoder {
  private readonly decoder = new TextDecoder();
  private line = "";
  private afterCr = false;
  private data: string[] = [];
  private strayText = "";

  /** Data of the events that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    return this.feed(this.decoder.decode(bytes, { stream: true }));
  }

  /** The rest at the end of the stream. */
  end(): string[] {
    const events = this.feed(this.decoder.decode());
    if (this.line !== "") this.takeLine(this.line);
    this.line = "";
    return [...events, ...this.dispatch()];
  }

  get stray(): string {
    return this.strayText;
  }

  private feed(text: string): string[] {
    const events: string[] = [];
    let start = 0;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === LF && this.afterCr) {
        this.afterCr = false;
        start = i + 1;
        continue;
      }
      this.afterCr = code === CR;
      if (code !== LF && code !== CR) continue;
      const line = this.line + text.slice(start, i);
      this.line = "";
      start = i + 1;
      if (line === "") events.push(...this.dispatch());
      else this.takeLine(line);
    }
    this.line += text.slice(start);
    return events;
  }

  private takeLine(line: string): void {
    if (line.startsWith(":")) return;
    if (line.startsWith("data:")) {
      this.data.push(line.charAt(5) === " " ? line.slice(6) : line.slice(5));
    } else if (!/^(event|id|retry)(:|$)/.test(line) && this.strayText.length < STRAY_LIMIT) {
      this.strayText += `${line}\n`;
    }
  }

  private dispatch(): string[] {
    if (this.data.length === 0) return [];
    const event = this.data.join("\n");
    this.data = [];
    return [event];
  }
}
