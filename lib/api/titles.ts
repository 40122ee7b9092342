/** Search in titles, the same on both sides: every word of the query, in any order and case. */
export function titleHolds(title: string | null, query: string): boolean {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const text = (title ?? "").toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}
