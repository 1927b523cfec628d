// The state of a worker in one word: online, drained, offline, removed.
import type { Signal } from '../../parts/marks/signal-mark.tsx';
import type { Worker } from './fleet.ts';

export type WorkerState = Worker['status'] | 'drained';

/** A drained worker that is gone is offline. */
export function workerStateOf({ status, drained_at }: Worker): WorkerState {
  return status === 'active' && drained_at !== null ? 'drained' : status;
}

export const workerSignals = {
  active: 'ok',
  drained: 'held',
  offline: 'bad',
  unregistered: 'off',
} as const satisfies Record<WorkerState, Signal>;

/** True when it may be given a task now. */
export function isServing(worker: Worker): boolean {
  return workerStateOf(worker) === 'active';
}

const ownMark = 'switchyard:';

/** The capabilities that a person gave; those of the worker program itself say what its version can. */
export function namedCapabilities({ capabilities }: Worker): readonly string[] {
  return capabilities.filter((capability) => !capability.startsWith(ownMark));
}
