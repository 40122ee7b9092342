/**
 * Messages that were sent while a Task ran and are not delivered yet. Each is delivered, withdrawn or kept, exactly
 * once. The list is on disk, so that a restart loses nothing; what was read from there is held: a draft that nobody
 * sends but a person.
 */
import { rm } from "node:fs/promises";
import { z } from "zod";
import { inputPart } from "../../lib/api/schemas";
import { thinkingLevel } from "../../lib/omni/message";
import { readText, replaceFile } from "../files";

const queuedItem = z.object({
  id: z.string(),
  kind: z.enum(["steer", "task"]),
  parts: z.array(inputPart),
  author: z.string().optional(),
  sender: z.string().optional(),
  user: z.string().optional(),
  thinking_level: thinkingLevel.optional(),
  goal: z.object({ budget: z.number().optional() }).optional(),
});
const queueFile = z.object({ items: z.array(queuedItem) });
export type QueuedItem = z.infer<typeof queuedItem>;
export interface HeldItem extends QueuedItem {
  /** Waits for a person; never started by the server. */
  held?: boolean;
}

const MAX_FILE = 256 * 1024 * 1024;

export class SessionQueue {
  #items: HeldItem[] = [];
  #written: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly changed: () => void,
  ) {}

  /** Reads what an earlier process left behind, except what the Trace shows as delivered. */
  async load(delivered: (id: string) => boolean): Promise<void> {
    const text = await readText(this.path, MAX_FILE).catch(() => null);
    if (text === null) return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return;
    }
    const parsed = queueFile.safeParse(value);
    if (!parsed.success) return;
    this.#items = parsed.data.items.filter(({ id }) => !delivered(id)).map((item) => ({ ...item, held: true }));
  }

  get items(): readonly HeldItem[] {
    return this.#items;
  }
  has(id: string): boolean {
    return this.#items.some((item) => item.id === id);
  }

  /** Resolves when it is on disk; what cannot be saved is not taken. */
  async add(item: HeldItem): Promise<void> {
    this.#items = [...this.#items, item];
    try {
      await this.#save();
    } catch (error) {
      // Delivered meanwhile: it needs no place on the disk.
      if (!this.has(item.id)) return;
      this.#items = this.#items.filter(({ id }) => id !== item.id);
      this.changed();
      throw error;
    }
  }

  /** Takes a message out: it is withdrawn, or it was delivered. null: it is not here. */
  async remove(id: string): Promise<HeldItem | null> {
    const found = this.#items.find((item) => item.id === id);
    if (!found) return null;
    this.#items = this.#items.filter((item) => item !== found);
    await this.#saveOrLater();
    return found;
  }

  /** The next follow-up that may start by itself; it stays in the list until it is removed. */
  next(): HeldItem | null {
    return this.#items.find((item) => item.kind === "task" && !item.held) ?? null;
  }

  /** From now on these wait for a person. */
  hold(which: (item: HeldItem) => boolean): void {
    if (!this.#items.some((item) => which(item) && !item.held)) return;
    this.#items = this.#items.map((item) => (which(item) ? { ...item, held: true } : item));
    void this.#saveOrLater();
  }

  /** A list that cannot be written now is written with the next change; nothing of it is lost meanwhile. */
  #saveOrLater(): Promise<void> {
    return this.#save().catch(() => {});
  }

  #save(): Promise<void> {
    this.changed();
    const write = async () => {
      const items = this.#items.map(({ held: _, ...item }) => item);
      if (items.length === 0) await rm(this.path, { force: true });
      else await replaceFile(this.path, JSON.stringify({ items }));
    };
    const done = this.#written.then(write);
    this.#written = done.catch(() => {});
    return done;
  }

  /** Everything submitted so far is on disk. */
  settled(): Promise<void> {
    return this.#written;
  }
}
