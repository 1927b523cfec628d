// Numbers of executed tests in outputs of real runners; a program under test that prints the like changes nothing.
import { describe, expect, test } from 'vitest';
import { readTests } from '../../../src/worker/gates/read-counts.ts';

const outputs: [string, string, { passed: number; failed: number; skipped: number }, string[]][] = [
  [
    'node:test, spec',
    '✔ one (9.6ms)\n﹣ two (0.2ms) # SKIP\n✖ bad (5.4ms)\nℹ tests 3\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 581.7\n\n✖ failing tests:\n\n✖ bad (5.4ms)\n',
    { passed: 1, failed: 1, skipped: 1 },
    ['bad'],
  ],
  [
    'node:test, tap',
    'TAP version 13\n# Subtest: one\nok 1 - one\n  ---\n  ...\nnot ok 2 - bad\n1..2\n# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n',
    { passed: 1, failed: 1, skipped: 0 },
    ['bad'],
  ],
  [
    'node:test with a file that ran no test',
    '✔ one (9.6ms)\n✔ test/b.test.mjs (35.69113ms)\nℹ tests 2\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n',
    { passed: 1, failed: 0, skipped: 0 },
    [],
  ],
  [
    'node:test after a program that printed a summary of its own',
    'ℹ tests 99\nℹ pass 99\nℹ fail 0\n✔ one (1ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\nℹ skipped 0\n',
    { passed: 1, failed: 0, skipped: 0 },
    [],
  ],
  [
    'vitest',
    '\u001B[31m FAIL \u001B[39m test/a.test.ts > sum > adds\nAssertionError\n Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 3 passed | 2 skipped (6)\n   Duration  1s\n',
    { passed: 3, failed: 1, skipped: 2 },
    ['test/a.test.ts > sum > adds'],
  ],
  [
    'jest',
    '  ● sum › adds\n\nTests:       1 failed, 2 skipped, 3 passed, 6 total\nSnapshots:   0 total\n',
    { passed: 3, failed: 1, skipped: 2 },
    ['sum › adds'],
  ],
  [
    'mocha',
    '  sum\n    ✔ adds\n    1) subtracts\n\n  1 passing (12ms)\n  2 pending\n  1 failing\n',
    { passed: 1, failed: 1, skipped: 2 },
    ['subtracts'],
  ],
  [
    'pytest',
    'FAILED test_a.py::test_one - assert 1 == 2\n========= 1 failed, 3 passed, 2 skipped, 1 warning in 0.12s =========\n',
    { passed: 3, failed: 1, skipped: 2 },
    ['test_a.py::test_one'],
  ],
  ['pytest without tests', '===== no tests ran in 0.01s =====\n', { passed: 0, failed: 0, skipped: 0 }, []],
  [
    'go test -v',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\n--- FAIL: TestC (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\n',
    { passed: 1, failed: 1, skipped: 1 },
    ['TestC'],
  ],
  ['go test', 'ok  \texample.com/a\t0.1s\nok  \texample.com/b\t(cached)\n', { passed: 2, failed: 0, skipped: 0 }, []],
  [
    'cargo test',
    'test a::b ... ok\ntest a::c ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\ntest result: ok. 2 passed; 0 failed; 3 ignored; 0 measured\n',
    { passed: 3, failed: 1, skipped: 3 },
    ['a::c'],
  ],
  ['TAP', '1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n', { passed: 1, failed: 1, skipped: 1 }, ['b']],
  [
    'JUnit',
    '<testsuites><testsuite name="a" tests="4" failures="1" errors="0" skipped="1"><testsuite tests="2"></testsuite><testcase name="x"><failure/></testcase></testsuite></testsuites>',
    { passed: 2, failed: 1, skipped: 1 },
    ['x'],
  ],
];

describe('counts of executed tests', () => {
  test.each(outputs)('%s', (_, output, counts, failed) => {
    expect(readTests(output)).toEqual({ counts, failed });
  });

  test.each(['', 'compiled in 3 s\n', '3 errors\n', 'ok\n'])('are absent in %j', (output) => {
    expect(readTests(output)).toBeUndefined();
  });
});
