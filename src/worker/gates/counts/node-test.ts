// Counts of node:test, whose reporters `spec` and `tap` end alike.
import { allMatches, lastMatch, type CountReader } from './output-lines.ts';

/** A file that ran no test of its own is reported as one test with its path: it executed nothing. */
const fileAsTest = /^(?:✔|ok \d+ -) (?:[\w.~@+-]*[\\/])*[\w.@+ -]+\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/;

export const readNodeTest: CountReader = (lines) => {
  const value = (word: string): number | undefined => {
    const found = lastMatch(lines, new RegExp(`^(?:ℹ|#) ${word} (\\d+)$`))?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [tests, pass, fail] = [value('tests'), value('pass'), value('fail')];
  if (tests === undefined || pass === undefined || fail === undefined) return undefined;
  const files = lines.filter((line) => fileAsTest.test(line)).length;
  const failed = allMatches(lines, /^\s*(?:✖|not ok \d+ -) (.+?)(?: \([\d.]+ms\))?$/);
  return {
    counts: {
      passed: Math.max(0, pass - files),
      failed: fail + (value('cancelled') ?? 0),
      skipped: (value('skipped') ?? 0) + (value('todo') ?? 0),
    },
    failed: failed.filter((name) => name !== 'failing tests:'),
  };
};
