// Escapes a caller's text for a pattern, so that it matches only itself.

/** For `like` and `ilike`: put it between `%`. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, (char) => `\\${char}`);
}
