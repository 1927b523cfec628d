// The last line of terminal output, as one line of plain text.
import { cutText } from './cut-text.ts';
import { plainText } from './plain-text.ts';

/**
 * The last line that shows something: of a line that a carriage return overwrote, what is seen; without control
 * characters and terminal sequences, white space as single spaces.
 * @returns at most `most` characters; '' where nothing is seen
 */
export function lastLineOf(output: string, most: number): string {
  const lines = plainText(output).split(/[\r\n]+/);
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  return cutText(last.replaceAll(/\s+/g, ' ').trim(), most);
}
