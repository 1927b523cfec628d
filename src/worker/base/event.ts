// An event of an attempt before it gets its number.
import type { WorkerEvent } from '../../contracts/worker.ts';

type WithoutNumber<E> = E extends { n: number } ? Omit<E, 'n'> : never;

/** A worker event without `n`: the reporter numbers it when it is sent. */
export type NewWorkerEvent = WithoutNumber<WorkerEvent>;
