// Finds the lines of a command's output that explain its failure.
import { cutText } from '../../../lib/text/cut-text.ts';
import { plainText } from '../../../lib/text/plain-text.ts';

const telling =
  /\b(?:error|err!|fail(?:ed|ure|s)?|not ok|assert\w*|expected|panic(?:ked)?|exception|traceback|undefined|cannot|could not|not found|no such|unable|fatal)\b|✖|✗|×|^E\s/i;
/** A summary that names a failure without its reason, a line of the package manager, or a count. */
const empty =
  /^(?:npm (?:err!|error|warn)|> |# |\d+ (?:passed|failed|tests?)|tests?:?\s+\d|fail(?:ed|ures)?:?\s*\d*$)/i;
const place = /(?:^|[\s("'])((?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]{1,5}):(\d+)(?::\d+)?/;

/** The lines that report a failure, in order; without any, the last lines with text. At most `most` lines. */
export function failingLines(tail: string, most: number): readonly string[] {
  const lines = plainText(tail)
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
  const first = lines.findIndex((line) => telling.test(line) && !empty.test(line.trim()));
  return (first === -1 ? lines.slice(-most) : lines.slice(first, first + most)).map((line) => cutText(line, 500));
}

/** One line for a sentence: the first failing line, and its place as `(file:line)` where the output names one. */
export function failureLine(tail: string): string {
  const lines = failingLines(tail, 40);
  const first = (lines[0] ?? '').trim().replace(/^(?:[✖✗×]|E\s|(?:\w*Error|error|FAIL|not ok \d*)(?: -|:)?)\s*/, '');
  const found = lines.map((line) => place.exec(line)).find((match) => match !== null);
  const where = found === undefined ? '' : `${found?.[1] ?? ''}:${found?.[2] ?? ''}`;
  return cutText(where === '' || first.includes(where) ? first : `${first} (${where})`, 240);
}
