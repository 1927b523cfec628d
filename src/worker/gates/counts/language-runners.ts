// Counts of pytest, go test and cargo test.
import { allMatches, lastMatch, numberBefore, type CountReader } from './output-lines.ts';

/** `==== 1 failed, 3 passed, 2 skipped in 0.12s ====`; with `-q` without the signs. */
export const readPytest: CountReader = (lines) => {
  const found = lastMatch(lines, /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.]+s.*$/)?.[1];
  if (found === undefined) return undefined;
  return {
    counts: {
      passed: numberBefore(found, /passed/) + numberBefore(found, /xpassed/),
      failed: numberBefore(found, /failed/) + numberBefore(found, /errors?/),
      skipped: numberBefore(found, /skipped/) + numberBefore(found, /xfailed/) + numberBefore(found, /deselected/),
    },
    failed: allMatches(lines, /^(?:FAILED|ERROR) (\S+)/),
  };
};

/** With `-v` each test has a line; without, a package that passed is counted as one test. */
export const readGo: CountReader = (lines) => {
  const tests = (word: string): number => lines.filter((line) => new RegExp(`^\\s*--- ${word}: `).test(line)).length;
  const packages = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  const [passedPackages, failedPackages] = [
    packages(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests)/),
    packages(/^FAIL\s+\S+\s/),
  ];
  if (passedPackages + failedPackages === 0) return undefined;
  const [passed, failed] = [tests('PASS'), tests('FAIL')];
  return {
    counts: {
      passed: passed === 0 ? passedPackages : passed,
      failed: failed === 0 ? failedPackages : failed,
      skipped: tests('SKIP'),
    },
    failed: allMatches(lines, /^\s*--- FAIL: (\S+)/),
  };
};

/** `test result: ok. 3 passed; 0 failed; 1 ignored; …`, one line for each test program. */
export const readCargo: CountReader = (lines) => {
  const results = lines.flatMap(
    (line) => /^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line) ?? [],
  );
  if (results.length === 0) return undefined;
  const sum = (group: number): number =>
    results.filter((_, at) => at % 4 === group).reduce((total, count) => total + Number(count), 0);
  return {
    counts: { passed: sum(1), failed: sum(2), skipped: sum(3) },
    failed: allMatches(lines, /^test (.+) \.\.\. FAILED$/),
  };
};
