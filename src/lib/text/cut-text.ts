// Truncates text without splitting a character.

/** The first `most` characters (code points): a database rejects text with half a surrogate pair. */
export function cutText(text: string, most: number): string {
  // A code point is at most two UTF-16 units, so the first `most` of them lie within this slice.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('');
}
