// What a run says of itself, before its lease has given it a number.
import type { WorkerEvent } from '../../contracts/worker.ts';

type WithoutNumber<E> = E extends { n: number } ? Omit<E, 'n'> : never;

/** A worker event without `n`: the report numbers it when it is sent. */
export type NewWorkerEvent = WithoutNumber<WorkerEvent>;
