// Formats output: tables for people, JSON for programs, one-line errors.
import type { LogFormat } from '../../lib/log/levels.ts';
import type { CliIo } from './io.ts';

/** Rows under headings, columns aligned; the last column is not padded. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(singleLine));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  const text = lines.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${text.join('\n')}\n`;
}

/** Names and values, one pair per line. */
export function fields(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${singleLine(value)}\n`).join('');
}

/** One line without control characters: text from the service must not control the terminal. */
export function singleLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

export function shorten(text: string, width: number): string {
  const line = singleLine(text);
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

export function printJson(io: Pick<CliIo, 'out'>, value: unknown): void {
  io.out(`${JSON.stringify(value)}\n`);
}

/** Readable lines on a terminal, JSON for programs. */
export function defaultLogFormat({ terminal }: Pick<CliIo, 'terminal'>): LogFormat {
  return terminal.err ? 'pretty' : 'json';
}

/** `3 s`, `4 min`, `2 h`, `5 d`. */
export function age(from: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(from)) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
