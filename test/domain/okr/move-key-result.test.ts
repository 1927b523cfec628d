// How progress, current value and status of a key result follow from each other, and the progress of an objective.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/domain/model/errors.ts';
import {
  progressOfNumber,
  progressOfObjective,
  progressOfTasks,
  type Measure,
} from '../../../src/domain/model/okr/measure.ts';
import {
  moveByTasks,
  moveKeyResult,
  restartUnder,
  type KeyResultMove,
} from '../../../src/domain/model/okr/move-key-result.ts';
import type { KeyResultState, KeyResultStatus } from '../../../src/domain/model/okr/okr.ts';

const fresh: KeyResultState = { current: null, progress: 0, status: 'not-started', statusReason: null };
const numberFrom = (start: number, target: number): Extract<Measure, { kind: 'number' }> => ({
  kind: 'number',
  start,
  target,
});

function move(measure: Measure, ...moves: KeyResultMove[]): KeyResultState {
  return moves.reduce<KeyResultState>((state, each) => moveKeyResult({ ...state, measure }, each), fresh);
}

function refusal(measure: Measure, ...moves: KeyResultMove[]): unknown {
  try {
    return move(measure, ...moves);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

describe('progress', () => {
  it.each([
    [0, 100, 25, 25],
    [0, 3, 1, 33.33],
    [0, 100, 140, 100],
    [0, 100, -3, 0],
    // A target below the start.
    [800, 200, 500, 50],
    [800, 200, 200, 100],
    [800, 200, 900, 0],
    [5, 5, 5, 100],
    [5, 5, 4, 0],
    // Progress that is not yet complete is never 100.
    [0, 100_000, 99_999, 99.99],
  ])('from %d to %d at %d is %d [platform-4.3]', (start, target, current, progress) => {
    expect(progressOfNumber(numberFrom(start, target), current)).toBe(progress);
  });

  it('of a number that nobody has reported is 0, wherever it starts [platform-4.3]', () => {
    expect(progressOfNumber(numberFrom(5, 5), null)).toBe(0);
  });

  it('of tasks is the share that completed [platform-4.5]', () => {
    expect(progressOfTasks({ ended: 3, completed: 2 })).toBe(66.67);
    expect(progressOfTasks({ ended: 0, completed: 0 })).toBe(0);
    expect(progressOfTasks({ ended: 2, completed: 2 })).toBe(100);
  });

  it('of an objective is the weighted mean, 0 without weights or key results [platform-4.6]', () => {
    expect(progressOfObjective([])).toBe(0);
    expect(progressOfObjective([{ weight: 0, progress: 100 }])).toBe(0);
    expect(
      progressOfObjective([
        { weight: 1, progress: 100 },
        { weight: 2, progress: 0 },
      ]),
    ).toBe(33.33);
  });

  it('of an objective is 100 exactly when every weighted key result is [platform-4.6]', () => {
    const keyResult = fc.record({
      weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
      progress: fc.constantFrom(100, 100, 99.99, 12.34, 0),
    });
    fc.assert(
      fc.property(fc.array(keyResult, { minLength: 1, maxLength: 12 }), (keyResults) => {
        const all = keyResults.every(({ progress }) => progress === 100);
        const total = progressOfObjective(keyResults);
        expect(total === 100).toBe(all);
        expect(total).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('a key result', () => {
  it('is started by any progress, and completed by 100 and nothing else [platform-4.7, choices-10.5]', () => {
    expect(move({ kind: 'manual' }, { progress: 10 })).toMatchObject({ status: 'in-progress', progress: 10 });
    expect(move({ kind: 'manual' }, { progress: 100 }).status).toBe('completed');
    expect(move({ kind: 'manual' }, { progress: 33.333 }).progress).toBe(33.33);
    expect(move({ kind: 'manual' }, { progress: 100 }, { progress: 60 })).toMatchObject({ status: 'in-progress' });
    expect(move({ kind: 'manual' }, { progress: 40, status: 'not-started' }).status).toBe('in-progress');
    expect(move(numberFrom(0, 10), { current: 10 })).toMatchObject({ status: 'completed', progress: 100 });
    expect(move(numberFrom(0, 10), { current: 10 }, { current: 9 })).toMatchObject({
      status: 'in-progress',
      progress: 90,
    });
  });

  it('that is blocked stays so until another status is named or it is completed [platform-4.8]', () => {
    const blocked: KeyResultMove = { status: 'blocked', statusReason: 'no access' };
    expect(move({ kind: 'manual' }, blocked, { progress: 50 })).toMatchObject({
      status: 'blocked',
      statusReason: 'no access',
    });
    expect(move({ kind: 'manual' }, blocked, { progress: 100 })).toMatchObject({
      status: 'completed',
      statusReason: null,
    });
    expect(move({ kind: 'manual' }, blocked, { status: 'in-progress' })).toMatchObject({
      status: 'in-progress',
      statusReason: null,
    });
  });

  it('is set to completed where its progress is reported, not where it is measured [platform-4.9, platform-4.4]', () => {
    expect(move({ kind: 'manual' }, { status: 'completed' }).progress).toBe(100);
    expect(move({ kind: 'milestone' }, { status: 'completed' }).progress).toBe(100);
    expect(refusal(numberFrom(0, 10), { status: 'completed' })).toBe('measured');
    expect(refusal({ kind: 'tasks' }, { status: 'completed' })).toBe('measured');
    expect(refusal(numberFrom(0, 10), { progress: 50 })).toBe('measured');
    expect(refusal({ kind: 'tasks' }, { progress: 50 })).toBe('measured');
    expect(refusal(numberFrom(0, 10), { current: 10 }, { status: 'in-progress' })).toBe('measured');
    expect(move(numberFrom(0, 10), { current: 10, status: 'completed' }).status).toBe('completed');
  });

  it('takes only what its measure has [platform-4.4]', () => {
    expect(refusal({ kind: 'milestone' }, { progress: 50 })).toBe('invalid_request');
    expect(refusal({ kind: 'manual' }, { current: 5 })).toBe('invalid_request');
    expect(refusal({ kind: 'manual' }, { progress: 40, status: 'completed' })).toBe('invalid_request');
    expect(refusal({ kind: 'manual' }, { progress: 100, status: 'blocked' })).toBe('invalid_request');
  });

  it('is opened again with a lower progress; a milestone falls to 0', () => {
    expect(refusal({ kind: 'manual' }, { status: 'completed' }, { status: 'in-progress' })).toBe('invalid_request');
    expect(move({ kind: 'manual' }, { status: 'completed' }, { status: 'in-progress', progress: 80 }).progress).toBe(
      80,
    );
    expect(move({ kind: 'milestone' }, { status: 'completed' }, { status: 'blocked' })).toMatchObject({
      progress: 0,
      status: 'blocked',
    });
  });

  it('is moved by its tasks, and restarted by another measure', () => {
    expect(moveByTasks({ ...fresh, status: 'not-started' }, 50).status).toBe('in-progress');
    expect(moveByTasks({ ...fresh, status: 'blocked' }, 100).status).toBe('completed');
    const done = move({ kind: 'manual' }, { progress: 100 });
    expect(restartUnder(done, { kind: 'milestone' })).toMatchObject({
      progress: 0,
      status: 'not-started',
      current: null,
    });
    expect(restartUnder(move(numberFrom(0, 10), { current: 5 }), numberFrom(0, 5)).status).toBe('completed');
  });

  it('keeps its rules under any moves: 100 is completed, 0 to 100 with two decimals [platform-4.7]', () => {
    const statuses = fc.constantFrom<(KeyResultStatus | undefined)[]>(
      undefined,
      'not-started',
      'in-progress',
      'completed',
      'blocked',
    );
    const anyMove: fc.Arbitrary<KeyResultMove> = fc.record(
      {
        progress: fc.double({ min: 0, max: 100, noNaN: true }),
        current: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        status: statuses,
      },
      { requiredKeys: [] },
    );
    const measures = fc.constantFrom<Measure[]>(
      { kind: 'manual' },
      { kind: 'milestone' },
      { kind: 'tasks' },
      numberFrom(-5, 12),
      numberFrom(9, -9),
    );
    fc.assert(
      fc.property(measures, fc.array(anyMove, { maxLength: 8 }), (measure, moves) => {
        let state = fresh;
        for (const each of moves) {
          try {
            state = moveKeyResult({ ...state, measure }, each);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
          }
          expect(state.progress === 100).toBe(state.status === 'completed');
          expect(state.progress).toBeGreaterThanOrEqual(0);
          expect(state.progress).toBe(Math.round(state.progress * 100) / 100);
          if (state.status === 'not-started') expect(state.progress).toBe(0);
        }
      }),
    );
  });
});
