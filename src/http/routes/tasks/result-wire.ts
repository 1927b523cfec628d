// Conversions of attempts and changed files to their wire shapes. They hold no rules.
import type { TaskAttemptWire } from '../../../contracts/results/output.ts';
import type { AttemptRecord } from '../../../domain/ports/task-results.ts';
import type { FileDiff } from '../../../domain/tasks/results/parse-diff.ts';

const outcomes = {
  running: null,
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  needs_input: 'needs_input',
  // A worker that gives a task back releases it as pending.
  released: 'pending',
  lost: 'lease_lost',
} as const satisfies Record<AttemptRecord['status'], TaskAttemptWire['outcome']>;

export function taskAttemptToWire(record: AttemptRecord): TaskAttemptWire {
  return {
    run_id: record.attemptId,
    attempt: record.attempt,
    worker_id: record.workerId,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    outcome: outcomes[record.status],
    error: record.error,
    usage: record.usage,
  };
}

export function changeToWire({ path, oldPath, status, added, removed, hash }: FileDiff): Record<string, unknown> {
  return { path, old_path: oldPath, status, added, removed, hash };
}
