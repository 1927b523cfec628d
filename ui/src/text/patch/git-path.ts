// Paths as git writes them into a patch: quoted, with escapes for bytes.

const letters: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A path without git's quotes. Bytes that are no UTF-8 become U+FFFD; a text without quotes is returned as it is. */
export function unquotePath(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const [whole, octal, letter] of text.slice(1, -1).matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+|\\/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined && letters[letter] !== undefined) bytes.push(letters[letter]);
    else bytes.push(...encoder.encode(whole));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
