// A round of whole cycles: tasks submitted concurrently, each one claimed and completed by a worker in a process of its
// own.
import { z } from 'zod';
import type { BenchProcess } from '../child.ts';
import { toRoundFigures, type RoundFigures } from '../measure/round.ts';

const nothing = z.object({});

/** Like `cycleRound`, but ends when every task's webhook has arrived too. */
export async function deliveredRound(
  load: BenchProcess,
  worker: BenchProcess,
  receiver: BenchProcess,
  operations: number,
): Promise<RoundFigures> {
  await receiver.request('expect', { operations }, nothing);
  const startedAt = performance.now();
  await cycleRound(load, worker, operations);
  await receiver.request('received', {}, nothing);
  return { ...toRoundFigures([], performance.now() - startedAt), operations };
}

/** Measures from the first submit until the last task is complete, without latencies of single tasks. */
export async function cycleRound(load: BenchProcess, worker: BenchProcess, operations: number): Promise<RoundFigures> {
  await worker.request('expect', { operations }, nothing);
  const startedAt = performance.now();
  await Promise.all([load.request('submit', { operations }, nothing), worker.request('completed', {}, nothing)]);
  const none = toRoundFigures([], performance.now() - startedAt);
  return { ...none, operations };
}
