// Sentences, learnings and fingerprints of failures, from facts alone. runs-6.1, runs-9, runs-11.
import { describe, expect, it } from 'vitest';
import { failureLine, failingLines } from '../../../../src/domain/runs/outcome/failing-lines.ts';
import { failureFingerprint, normaliseFailure } from '../../../../src/domain/runs/outcome/fingerprint.ts';
import { describeCheckFailure } from '../../../../src/domain/runs/outcome/failure.ts';
import {
  describeExhausted,
  describePassed,
  describePending,
  describeRunning,
} from '../../../../src/domain/runs/outcome/story-result.ts';
import type { CheckResult } from '../../../../src/domain/model/run/step.ts';
import { gateResult } from '../support/run-rows.ts';

const result: CheckResult = {
  kind: 'check',
  commit: null,
  tree: '',
  results: [],
  protected: [],
  protected_diff: '',
  failing_base_tests: [],
  fewer_tests: null,
  suppressions: [],
  no_change: false,
  environment_differs: [],
  verdict: 'rejected',
  code: 'gate_failed',
};

describe('a failure', () => {
  it('is described by its command, its exit and the first failing line with its place', () => {
    const tail = 'ok 1\nAssertionError: expected 2, got 3\n    at src/sum.test.ts:12:5';
    const failure = describeCheckFailure('gate_failed', result, [gateResult({ passed: false, tail })]);
    expect(describeExhausted(3, failure.sentence)).toBe(
      '3 iterations: `npm test` exit 1: expected 2, got 3 (src/sum.test.ts:12)',
    );
    expect(failure.learning).toContain('- `npm test` exit 1\n    AssertionError: expected 2, got 3');
  });

  it('of a command that is a gate and a check is described once', () => {
    const failed = [gateResult({ passed: false, tail: 'not ok 1' }), gateResult({ passed: false, gate_id: null })];
    expect(describeCheckFailure('gate_failed', result, failed).learning.match(/npm test/g)).toHaveLength(1);
  });

  it('has at most 8 KiB of learning, without control characters', () => {
    const tail = `error: \u001b[31m${'ä'.repeat(400)}\u0000\n`.repeat(40);
    const { learning } = describeCheckFailure('gate_failed', result, [gateResult({ passed: false, tail })]);
    expect(Buffer.byteLength(learning)).toBeLessThanOrEqual(8192);
    expect(learning).not.toContain('\u0000');
    expect(learning).not.toContain('\u001b');
  });

  it('without a telling line shows the end of the output', () => {
    expect(failingLines('one\ntwo\nthree', 2)).toEqual(['two', 'three']);
    expect(failureLine('')).toBe('');
  });
});

describe('a fingerprint', () => {
  it('is equal for the same failure at another time, place and line', () => {
    const print = (line: string) => failureFingerprint('gate_failed', ['test'], [line]);
    expect(print('Error: expected 2 at /tmp/a1/src/sum.ts:12 in 31 ms')).toBe(
      print('Error: expected 5 at /home/b/src/other.ts:99 in 1.5 s'),
    );
    expect(print('Error: expected two')).not.toBe(print('Error: expected three'));
    expect(normaliseFailure('10:42:07 commit 1a2b3c4d5e')).toBe(normaliseFailure('11:00:59 commit ffeeddc012'));
  });

  it('holds the set of what failed, in any order, and the code', () => {
    expect(failureFingerprint('gate_failed', ['a', 'b'], [])).toBe(
      failureFingerprint('gate_failed', ['b', 'a', 'a'], []),
    );
    expect(failureFingerprint('gate_failed', ['a'], [])).not.toBe(failureFingerprint('gate_failed', ['b'], []));
    expect(failureFingerprint('gate_failed', ['a'], [])).not.toBe(failureFingerprint('check_failed', ['a'], []));
  });
});

describe('the result of a story', () => {
  it('is one sentence in each state', () => {
    expect(describePending(['US-002'])).toBe('waits for US-002');
    expect(describeRunning(2, 'checking', null)).toBe('iteration 2: checking');
    expect(describeExhausted(1, 'x')).toBe('1 iteration: x');
    const story = { commit: `1a2b3c4${'0'.repeat(33)}`, criteria: ['a'] };
    expect(describePassed(story, [undefined], true)).toBe('commit 1a2b3c4: 0 of 1 criteria, waits for commit');
  });
});
