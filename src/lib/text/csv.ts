// Comma-separated values as spreadsheets read them, written so that no cell becomes a formula.

/**
 * Begins like something that a spreadsheet would work out: `=`, `+`, `-`, `@`, in their wide forms too, be it behind
 * blanks or characters that are not shown; or begins with a character that ends a cell for some readers.
 */
const formula = /^(?:[\s\p{Cc}\p{Cf}'"]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** One cell. A text that would be a formula gets an apostrophe in front, which spreadsheets take as "this is text". */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line, with its end (RFC 4180). */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
