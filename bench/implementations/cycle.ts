// What a round of a whole cycle is, for whoever takes part in it: some tasks, submitted side by side, each claimed
// and completed by a worker in a process of its own.
import { z } from 'zod';
import type { Child } from '../child.ts';
import { toRoundFigures, type RoundFigures } from '../measure/round.ts';

const nothing = z.object({});

/** As `cycleRound`, over when every task's webhook has arrived too. */
export async function deliveredRound(
  load: Child,
  worker: Child,
  receiver: Child,
  operations: number,
): Promise<RoundFigures> {
  await receiver.request('expect', { operations }, nothing);
  const startedAt = performance.now();
  await cycleRound(load, worker, operations);
  await receiver.request('received', {}, nothing);
  return { ...toRoundFigures([], performance.now() - startedAt), operations };
}

/** From the first submit until the last task is complete. Latencies of single tasks are not looked at here. */
export async function cycleRound(load: Child, worker: Child, operations: number): Promise<RoundFigures> {
  await worker.request('expect', { operations }, nothing);
  const startedAt = performance.now();
  await Promise.all([load.request('submit', { operations }, nothing), worker.request('completed', {}, nothing)]);
  const none = toRoundFigures([], performance.now() - startedAt);
  return { ...none, operations };
}
