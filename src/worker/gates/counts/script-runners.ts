// Counts of Vitest, Jest and Mocha.
import { allMatches, lastMatch, numberBefore, type CountReader } from './output-lines.ts';

/** `      Tests  1 failed | 3 passed | 2 skipped (6)` */
export const readVitest: CountReader = (lines) => {
  const found = lastMatch(lines, /^\s+Tests\s+(\d+ (?:failed|passed|skipped|todo).*\(\d+\))$/)?.[1];
  if (found === undefined) return undefined;
  return {
    counts: {
      passed: numberBefore(found, /passed/),
      failed: numberBefore(found, /failed/),
      skipped: numberBefore(found, /skipped/) + numberBefore(found, /todo/),
    },
    failed: allMatches(lines, /^\s*(?:FAIL)\s+(.+ > .+)$/),
  };
};

/** `Tests:       1 failed, 2 skipped, 3 passed, 6 total` */
export const readJest: CountReader = (lines) => {
  const found = lastMatch(lines, /^Tests:\s+(.*\d+ total)$/)?.[1];
  if (found === undefined) return undefined;
  return {
    counts: {
      passed: numberBefore(found, /passed/),
      failed: numberBefore(found, /failed/),
      skipped: numberBefore(found, /skipped/) + numberBefore(found, /todo/),
    },
    failed: allMatches(lines, /^\s+● (.+ › .+)$/),
  };
};

/** `  3 passing (12ms)`, `  1 pending`, `  2 failing` */
export const readMocha: CountReader = (lines) => {
  const passed = lastMatch(lines, /^\s+(\d+) passing \(.+\)$/)?.[1];
  if (passed === undefined) return undefined;
  return {
    counts: {
      passed: Number(passed),
      failed: Number(lastMatch(lines, /^\s+(\d+) failing$/)?.[1] ?? 0),
      skipped: Number(lastMatch(lines, /^\s+(\d+) pending$/)?.[1] ?? 0),
    },
    failed: allMatches(lines, /^\s+\d+\) (.+?):?$/),
  };
};
