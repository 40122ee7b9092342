/**
 * RS8: members of `fidelity` go into the body with the spelling that the Trace holds. Where `JSON.stringify` would
 * write something else, a mark takes the place; it is replaced in the finished body, in the package's `fetch`.
 */
import { randomUUID } from "node:crypto";
import type { Fidelity } from "../../lib/omni/message";
import { memberSourceOf, sourceOf } from "../../lib/omni/spelling";

/** For one Request. Without such spellings it does nothing. */
export class Verbatim {
  private readonly prefix = `verbatim-${randomUUID()}-`;
  private readonly sources: string[] = [];

  /** The member as it goes into the body. */
  member(fidelity: Fidelity | undefined, name: string): unknown {
    const value = fidelity?.[name];
    if (fidelity === undefined || typeof value !== "number") return this.value(value);
    const source = memberSourceOf(fidelity, name);
    return source === undefined ? value : this.mark(source);
  }

  /** The member where a package takes a string only; undefined: there is none, or an empty one. */
  text(fidelity: Fidelity | undefined, name: string): string | undefined {
    const value = this.member(fidelity, name);
    if (value === undefined || value === null || value === "") return undefined;
    return typeof value === "string" ? value : this.mark(JSON.stringify(value));
  }

  /** The same for something inside of a member. */
  value(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const source = sourceOf(value);
    return source === undefined ? value : this.mark(source);
  }

  /** The finished body. */
  restore(body: string): string {
    if (this.sources.length === 0) return body;
    return body.replace(new RegExp(`"${this.prefix}(\\d+)"`, "g"), (mark, n) => this.sources[Number(n)] ?? mark);
  }

  private mark(source: string): string {
    this.sources.push(source);
    return `${this.prefix}${this.sources.length - 1}`;
  }
}
