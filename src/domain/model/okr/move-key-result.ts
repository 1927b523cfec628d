// Moves a key result: progress, current value and status follow from each other. Pure. platform-4.
import { DomainError } from '../errors.ts';
import type { KeyResultState, KeyResultStatus } from './okr.ts';
import { progressOfNumber, roundProgress, type Measure } from './measure.ts';

/** A report of a person or an agent; undefined fields were not named. */
export interface KeyResultMove {
  readonly progress?: number | undefined;
  readonly current?: number | undefined;
  readonly status?: KeyResultStatus | undefined;
  readonly statusReason?: string | null | undefined;
}

interface Movable extends KeyResultState {
  readonly measure: Measure;
}

/**
 * The state after a move. Progress 100 is `completed` and nothing else is; any progress starts what was not started; what is
 * blocked stays so until another status is named or it is completed.
 * @throws DomainError conflict `measured` for a value that is computed; invalid for one that the measure does not have
 */
export function moveKeyResult(before: Movable, move: KeyResultMove): KeyResultState {
  const { measure } = before;
  const current = move.current ?? before.current;
  if (move.current !== undefined && measure.kind !== 'number') {
    throw invalidMove('/current', 'is a value of the measure number only; report progress');
  }
  const progress =
    measure.kind === 'number' ? measuredProgress(measure, current, move) : reportedProgress(before, move);
  const status = statusAfter(before, progress, move.status);
  const statusReason =
    move.statusReason === undefined && status === before.status ? before.statusReason : move.statusReason;
  return { current, progress, status, statusReason: statusReason ?? null };
}

/** The state after the share of its tasks that completed has changed. */
export function moveByTasks(before: KeyResultState, progress: number): KeyResultState {
  return { ...before, progress, status: statusAfter(before, progress, undefined) };
}

/** The state of a key result whose measure is another one than before: nothing of the old progress holds. */
export function restartUnder(before: KeyResultState, measure: Measure): KeyResultState {
  const current = measure.kind === 'number' ? before.current : null;
  const progress = measure.kind === 'number' ? progressOfNumber(measure, current) : 0;
  const begun: KeyResultState = before.status === 'blocked' ? before : { ...before, status: 'not-started' };
  return { ...begun, current, progress, status: statusAfter(begun, progress, undefined) };
}

function measuredProgress(
  measure: Extract<Measure, { kind: 'number' }>,
  current: number | null,
  { progress, status }: KeyResultMove,
): number {
  if (progress !== undefined) throw measured('computed from its current value. Report current');
  const computed = progressOfNumber(measure, current);
  if (status !== undefined && (status === 'completed') !== (computed === 100)) {
    throw measured('computed from its current value, and so is whether it is completed. Report current');
  }
  return computed;
}

function reportedProgress(before: Movable, { progress, status }: KeyResultMove): number {
  const { kind } = before.measure;
  if (kind === 'tasks') {
    if (progress !== undefined || (status !== undefined && (status === 'completed') !== (before.progress === 100))) {
      throw measured('computed from the tasks of its runs');
    }
    return before.progress;
  }
  if (progress !== undefined && kind === 'milestone' && progress !== 0 && progress !== 100) {
    throw invalidMove('/progress', 'of a milestone is 0 or 100');
  }
  if (status === 'completed') {
    if (progress !== undefined && progress !== 100) throw invalidMove('/progress', 'of what is completed is 100');
    return 100;
  }
  if (progress === 100 && status !== undefined) throw invalidMove('/status', 'at progress 100 is completed');
  if (progress !== undefined) return roundProgress(progress);
  if (status === undefined || before.progress < 100) return before.progress;
  if (kind === 'milestone') return 0;
  throw invalidMove('/status', 'at progress 100 is completed; name a lower progress too');
}

function statusAfter(before: KeyResultState, progress: number, named: KeyResultStatus | undefined): KeyResultStatus {
  if (progress === 100) return 'completed';
  const wanted = named ?? before.status;
  if (wanted === 'completed') return 'in-progress';
  return wanted === 'not-started' && progress > 0 ? 'in-progress' : wanted;
}

function measured(how: string): DomainError {
  return new DomainError('conflict', 'measured', `The progress of this key result is ${how}.`);
}

function invalidMove(path: string, message: string): DomainError {
  return new DomainError('invalid', 'invalid_request', `The request is not valid: ${path} ${message}.`, {
    errors: [{ path, message }],
  });
}
