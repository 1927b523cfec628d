// How many slots each codebase has, how many are busy, and how much waits for one.
import type { Worker } from '../../data/fleet/fleet.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import type { WaitingAnswer } from '../../data/fleet/waiting-routes.ts';

export interface Capacity {
  /** `global` stands for tasks that name no codebase. */
  readonly codebaseId: string;
  readonly slots: number;
  readonly busy: number;
  readonly waiting: number;
}

export interface CapacitySource {
  /** Those that may be given a task. */
  readonly workers: readonly Pick<Worker, 'codebases' | 'slots'>[];
  readonly running: readonly Pick<Task, 'codebase_id'>[];
  readonly routes: readonly Pick<WaitingAnswer['routes'][number], 'codebase_id' | 'count'>[];
}

/** The codebase with the most waiting tasks for a slot comes first; one without slots, work and waiting tasks is left out. */
export function capacityOf({ workers, running, routes }: CapacitySource): readonly Capacity[] {
  const found = new Map<string, { slots: number; busy: number; waiting: number }>();
  const of = (codebaseId: string | null): { slots: number; busy: number; waiting: number } => {
    const id = codebaseId ?? 'global';
    const known = found.get(id) ?? { slots: 0, busy: 0, waiting: 0 };
    found.set(id, known);
    return known;
  };
  for (const worker of workers) for (const id of worker.codebases) of(id).slots += worker.slots;
  for (const { codebase_id } of running) of(codebase_id).busy += 1;
  for (const { codebase_id, count } of routes) of(codebase_id).waiting += count;
  return [...found].map(([codebaseId, row]) => ({ codebaseId, ...row })).toSorted(byNeed);
}

function byNeed(a: Capacity, b: Capacity): number {
  return need(b) - need(a) || b.busy - a.busy || b.slots - a.slots;
}

function need({ slots, waiting }: Capacity): number {
  return waiting === 0 ? 0 : waiting / Math.max(slots, 0.5);
}
