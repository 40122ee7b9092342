/**
 * Every open event stream, so that it can be closed at once when the right to it ends or the server does. The process
 * that makes the change calls `close…`; `sweep` catches edits made on disk.
 */
import type { Person } from "./person";

export interface OpenStream {
  person: Person;
  project?: string;
  /** May it still be read? Asked when something changes that decides it. */
  allowed?(): Promise<unknown>;
  close(): void;
}

export class Streams {
  private readonly open = new Set<OpenStream>();

  get size(): number {
    return this.open.size;
  }

  /** Returns how to forget the stream; call it when the stream ended by itself. */
  add(stream: OpenStream): () => void {
    this.open.add(stream);
    return () => {
      this.open.delete(stream);
    };
  }

  /** Closes what `which` picks. */
  close(which: (stream: OpenStream) => boolean): void {
    for (const stream of [...this.open]) {
      if (which(stream)) this.end(stream);
    }
  }

  closeAll(): void {
    this.close(() => true);
  }

  /** Closes the streams whose right is gone. */
  async sweep(allowed: (stream: OpenStream) => Promise<boolean>): Promise<void> {
    for (const stream of [...this.open]) {
      if (!(await allowed(stream).catch(() => false))) this.end(stream);
    }
  }

  /** A Session of the Project was made private: whoever may not see it, its children or its forks any more loses them. */
  async recheck(project: string): Promise<void> {
    const asked = [...this.open].filter((stream) => stream.project === project && stream.allowed);
    await Promise.all(
      asked.map(async (stream) => {
        if (!(await stream.allowed?.().catch(() => false))) this.end(stream);
      }),
    );
  }

  private end(stream: OpenStream): void {
    this.open.delete(stream);
    try {
      stream.close();
    } catch {
      // Already closed by its reader.
    }
  }
}
