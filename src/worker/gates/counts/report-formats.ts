// Counts of reports that many runners can print: TAP and JUnit.
import { allMatches, type CountReader } from './output-lines.ts';

/** Top-level lines `ok 1 - name # SKIP`, with a plan `1..n`. */
export const readTap: CountReader = (lines) => {
  if (!lines.some((line) => /^1\.\.\d+/.test(line))) return undefined;
  const results = lines.filter((line) => /^(?:not )?ok\b/.test(line));
  const skipped = results.filter((line) => /#\s*(?:skip|todo)\b/i.test(line));
  const executed = results.filter((line) => !skipped.includes(line));
  const passed = executed.filter((line) => line.startsWith('ok')).length;
  return {
    counts: { passed, failed: executed.length - passed, skipped: skipped.length },
    failed: allMatches(executed, /^not ok \d* ?-? ?(.+)$/),
  };
};

const attribute = (tag: string, name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(tag)?.[1] ?? 0);

/** `<testsuite tests="6" failures="1" errors="0" skipped="2">`; suites within suites are not added twice. */
export const readJunit: CountReader = (lines) => {
  const text = lines.join('\n');
  const tags = [...text.matchAll(/<testsuite\s[^>]*>|<\/testsuite>/g)].map(([tag]) => tag);
  let depth = 0;
  const suites = tags.filter((tag) => {
    if (tag.startsWith('</')) depth -= 1;
    else {
      const isTop = depth === 0;
      if (!tag.endsWith('/>')) depth += 1;
      return isTop;
    }
    return false;
  });
  if (suites.length === 0) return undefined;
  const sum = (name: string): number => suites.reduce((total, tag) => total + attribute(tag, name), 0);
  const [failed, skipped] = [sum('failures') + sum('errors'), sum('skipped') + sum('disabled')];
  const cases = text
    .split('<testcase')
    .filter((part) => /<(?:failure|error)\b/.test(part.split('</testcase>')[0] ?? ''));
  return {
    counts: { passed: Math.max(0, sum('tests') - failed - skipped), failed, skipped },
    failed: cases.flatMap((part) => /\bname="([^"]*)"/.exec(part)?.[1] ?? []),
  };
};
