// Modes of the outcome recorder: who may take outcomes in each, and that none is lost.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutcomeRecorder, recordDelayMs } from '../../../src/domain/webhooks/outcome-recorder.ts';
import { attemptOutcome, claimedDelivery } from '../../support/builders/claimed-delivery.ts';

let overdue = 0;
let dueIn: number[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  overdue = 0;
  dueIn = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function open(): OutcomeRecorder {
  return new OutcomeRecorder({
    now: Date.now,
    metrics: { attempted: () => {} },
    log: () => {},
    onOverdue: () => void (overdue += 1),
    onDueIn: (ms) => void dueIn.push(ms),
  });
}

it('while open, gives outcomes to the next commit of their tenant, once', () => {
  const recorder = open();
  recorder.add(attemptOutcome(1));
  recorder.add(attemptOutcome(2, 'other'));
  expect(recorder.takeForCommit('default')).toEqual([attemptOutcome(1)]);
  expect(recorder.takeForCommit('default')).toEqual([]);
  expect(recorder.takeAll().outcomes).toEqual([attemptOutcome(2, 'other')]);
});

it('fires when outcomes found no commit in time, and gives a round those outcomes only', () => {
  const recorder = open();
  recorder.add(attemptOutcome(1));
  vi.advanceTimersByTime(recordDelayMs - 10);
  recorder.add(attemptOutcome(2, 'other'));
  expect(overdue).toBe(0);
  vi.advanceTimersByTime(10);
  expect(overdue).toBe(1);
  expect(recorder.takeForRound(new Set()).outcomes).toEqual([attemptOutcome(1)]);
  vi.advanceTimersByTime(recordDelayMs);
  expect(overdue).toBe(2);
});

it('gives a round the outcomes of tenants that it visits, before they are overdue', () => {
  const recorder = open();
  recorder.add(attemptOutcome(1));
  recorder.add(attemptOutcome(2, 'other'));
  expect(recorder.takeForRound(new Set(['other'])).outcomes).toEqual([attemptOutcome(2, 'other')]);
});

it('keeps outcomes of a failed commit for a round; no other commit gets them', () => {
  const recorder = open();
  recorder.add(attemptOutcome(1));
  recorder.onCommitFailed(recorder.takeForCommit('default'));
  expect(dueIn).toEqual([recordDelayMs]);
  expect(recorder.takeForCommit('default')).toEqual([]);
  expect(recorder.takeForRound(new Set()).outcomes).toEqual([attemptOutcome(1)]);
});

it('keeps the work of a failed round for the next, in front of newer work', () => {
  const recorder = open();
  recorder.add(attemptOutcome(1));
  recorder.release([claimedDelivery(2)]);
  const work = recorder.takeAll();
  recorder.add(attemptOutcome(3));
  recorder.onRoundFailed(work);
  const again = recorder.takeAll();
  expect(again.outcomes).toEqual([attemptOutcome(1), attemptOutcome(3)]);
  expect(again.released.map(({ deliveryId }) => deliveryId)).toEqual(['delivery 2']);
});

it('while draining, gives commits nothing and keeps all for the final round', () => {
  const recorder = open();
  recorder.add(attemptOutcome(1));
  recorder.drain();
  recorder.add(attemptOutcome(2));
  expect(recorder.takeForCommit('default')).toEqual([]);
  recorder.stop();
  vi.advanceTimersByTime(10 * recordDelayMs);
  expect(overdue).toBe(0);
  expect(recorder.takeForCommit('default')).toEqual([]);
  expect(recorder.takeAll().outcomes).toEqual([attemptOutcome(1), attemptOutcome(2)]);
});
