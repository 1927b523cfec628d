// Text of agents as lines without control characters and direction marks. runs-18.
import { plainText } from '../../lib/text/plain-text.ts';

/** Everything that some reader takes for the end of a line. */
const lineEnd = /\r\n|[\n\r\u2028\u2029]/;

export function plainLines(text: string): string[] {
  return plainText(text.toWellFormed()).split(lineEnd);
}
