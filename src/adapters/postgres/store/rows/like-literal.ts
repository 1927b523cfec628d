// A caller's words as a pattern that means nothing but themselves.

/** For `like` and `ilike`: put it between `%`. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, (char) => `\\${char}`);
}
