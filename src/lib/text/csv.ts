// Comma-separated values for spreadsheets, escaped so that no cell is evaluated as a formula.

/**
 * Matches text that a spreadsheet could evaluate: it starts with `=`, `+`, `-` or `@` (also full-width), after any
 * blanks and invisible characters; or it starts with a character that some readers take for the end of a cell.
 */
const formula = /^(?:[\s\p{Cc}\p{Cf}'"]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** One cell. Text that could be a formula gets an apostrophe in front, by which spreadsheets mark plain text. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its line break (RFC 4180). */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
