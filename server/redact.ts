/** What may be a secret is taken out before a line goes to the log. */

const SHAPES = [
  /\b(sk|pk|rk|ghp|gho|xox[abp]|AIza)[-_A-Za-z0-9]{8,}/g,
  /\b(Bearer|Basic)\s+[-._~+/=A-Za-z0-9]{8,}/gi,
  /\beyJ[-_A-Za-z0-9]{10,}(\.[-_A-Za-z0-9]*)+/g,
];

/** The text without key-like words and without these values. */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret && secret.length >= 6) clean = clean.replaceAll(secret, "[secret]");
  }
  for (const shape of SHAPES) clean = clean.replace(shape, "[secret]");
  return clean;
}

/** Words of somebody else as a part of a line of the log: printable ASCII, at most 300 characters. */
export const logWords = (text: string): string => text.replace(/[^\x20-\x7e]+/g, " ").slice(0, 300);

/** An unexpected error for the log: its stack, redacted. Members of the error object are not printed. */
export function describeError(error: unknown, secrets: readonly (string | undefined)[] = []): string {
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error), secrets);
}
