// Text for the wire: no NUL, no lone surrogate, cut by bytes without breaking a character.

/** Replaces what JSON or PostgreSQL cannot carry (NUL, lone surrogates) by U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The longest prefix of `bytes` that has at most `max` bytes and ends between two UTF-8 characters. */
function prefixLength(bytes: Buffer, max: number): number {
  if (bytes.length <= max) return bytes.length;
  let end = max;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/** The beginning of a well-formed text, at most `maxBytes` of UTF-8. */
export function textHead(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.toString('utf8', 0, prefixLength(bytes, maxBytes));
}

/** The end of a text, about `maxChars` characters, starting at a line if there is one. */
export function textTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const tail = text.slice(-maxChars);
  const line = tail.indexOf('\n');
  return cleanText(line >= 0 && line < tail.length - 1 ? tail.slice(line + 1) : tail);
}

/** Cuts a well-formed text into pieces of at most `maxBytes` (at least 4) of UTF-8 each. */
export function splitByBytes(text: string, maxBytes: number): string[] {
  if (text.length * 3 <= maxBytes) return [text];
  const pieces: string[] = [];
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const end = prefixLength(rest, maxBytes);
    pieces.push(rest.toString('utf8', 0, end));
    rest = rest.subarray(end);
  }
  return pieces;
}
