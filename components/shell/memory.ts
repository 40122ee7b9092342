/** Small choices of the frame that the server needs for its first picture: kept in cookies, no secrets. */
const NAMES = { rail: "penguin_rail", last: "penguin_last" } as const;

export function remember(what: keyof typeof NAMES, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is missing in Firefox and Safari
  document.cookie = `${NAMES[what]}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax`;
}
