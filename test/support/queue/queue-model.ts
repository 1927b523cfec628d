// The queue as a few lines of memory: what every task should look like after any sequence of moves.
import type { Assignment } from '../../../src/domain/model/task/task.ts';
import { isTerminal, type TaskStatus } from '../../../src/domain/model/task/task-state.ts';

export type ReleaseStatus = 'completed' | 'failed' | 'cancelled' | 'needs_input' | 'pending';

/** A lease that was given out, and how it stands. */
export interface ModelLease {
  readonly held: Assignment;
  readonly worker: number;
  seen: boolean;
  expired: boolean;
  /** Highest event number reported under it. */
  n: number;
  /** `current` while it may still speak; else the release that ended it, or a cancel (cut off), or another loss. */
  end: 'current' | ReleaseStatus | 'taken away' | 'cut off';
  /** The answer to the release that ended it. */
  answer: unknown;
}

export interface ModelTask {
  readonly id: string;
  readonly priority: number;
  readonly maxAttempts: number;
  status: TaskStatus;
  attempt: number;
  epoch: number;
  releases: number;
  readonly leases: ModelLease[];
  /** Workers that must not be offered it now. */
  readonly holds: Set<number>;
}

const releasesAtMost = 20;

export class QueueModel {
  /** In the order of their creation. */
  readonly tasks: ModelTask[] = [];

  submitted(id: string, priority: number, maxAttempts: number): void {
    const counts = { attempt: 0, epoch: 0, releases: 0 };
    this.tasks.push({ id, priority, maxAttempts, status: 'pending', ...counts, leases: [], holds: new Set() });
  }

  /** The tasks that a claim of this worker must return, in order. */
  claimable(worker: number, limit: number): ModelTask[] {
    return this.tasks
      .filter((task) => task.status === 'pending' && !task.holds.has(worker))
      .toSorted((a, b) => b.priority - a.priority)
      .slice(0, limit);
  }

  claimed(task: ModelTask, worker: number, held: Assignment): void {
    task.status = 'running';
    task.attempt += 1;
    task.epoch += 1;
    task.leases.push({ held, worker, seen: false, expired: false, n: 0, end: 'current', answer: undefined });
  }

  released(task: ModelTask, lease: ModelLease, status: ReleaseStatus, answer: unknown): void {
    lease.end = status;
    lease.answer = answer;
    if (status === 'needs_input' || status === 'pending') task.attempt -= 1;
    task.status = status;
    if (status !== 'pending') return;
    task.releases += 1;
    task.holds.add(lease.worker);
    if (task.releases >= releasesAtMost) task.status = 'failed';
  }

  /** The lease ends by another's word; a cancel leaves it a voice for late artifacts. */
  cancelled(task: ModelTask): void {
    const lease = this.current(task);
    if (lease !== undefined) lease.end = 'cut off';
    task.status = 'cancelled';
  }

  reaped(): void {
    for (const task of this.tasks) {
      const lease = this.current(task);
      if (lease?.expired !== true) continue;
      lease.end = 'taken away';
      if (!lease.seen) task.attempt -= 1;
      task.status = lease.seen && task.attempt >= task.maxAttempts ? 'failed' : 'pending';
    }
  }

  left(worker: number): void {
    for (const { task, lease } of this.heldBy(worker)) {
      lease.end = 'taken away';
      task.attempt -= 1;
      task.status = 'pending';
    }
  }

  heldBy(worker: number): { task: ModelTask; lease: ModelLease }[] {
    return this.tasks.flatMap((task) => {
      const lease = this.current(task);
      return lease?.worker === worker ? [{ task, lease }] : [];
    });
  }

  current(task: ModelTask): ModelLease | undefined {
    const lease = task.leases.at(-1);
    return task.status === 'running' && lease?.end === 'current' ? lease : undefined;
  }

  finished(task: ModelTask): boolean {
    return isTerminal(task.status);
  }
}
