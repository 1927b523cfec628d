// The fingerprint of a failure: equal for attempts that fail alike. runs-11.
import { sha256 } from '../../../lib/digest.ts';

/** A failing line without what differs from run to run: numbers, paths, times, identifiers. */
export function normaliseFailure(line: string): string {
  return line
    .replace(/\b[0-9a-f]{7,64}\b/gi, '#')
    .replace(/(?:[A-Za-z]:)?(?:[\w@.~-]*[\\/])+[\w@.-]*/g, '/')
    .replace(/\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\b/g, '#')
    .replace(/\d+(?:\.\d+)?\s*(?:ms|s|sec|seconds?|min|minutes?)?\b/gi, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * @param code the failure's code
 * @param failed what failed: ids of gates, commands of checks, numbers of criteria; their order does not matter
 * @param lines the first failing lines
 */
export function failureFingerprint(code: string, failed: readonly string[], lines: readonly string[]): string {
  const facts = { code, failed: [...new Set(failed)].toSorted(), lines: lines.map(normaliseFailure) };
  return sha256(JSON.stringify(facts), 'hex').slice(0, 32);
}
