// Shortens a text without cutting a character in half.

/** The first `most` characters (code points): half a surrogate pair would be no text that a database takes. */
export function cutText(text: string, most: number): string {
  // A code point is at most two units: nothing beyond that can be among the first.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('');
}
