// One round of one implementation: number of operations, duration, latencies.
import { z } from 'zod';
import { quantile } from './statistics.ts';

export const roundFigures = z.object({
  operations: z.number(),
  elapsedMs: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
});
export type RoundFigures = z.infer<typeof roundFigures>;

/**
 * Runs `callers` concurrent loops, each one calling again after its answer, until the time is over.
 * @param call gets the number of its loop; it throws when the answer is not the expected one, which ends the bench
 */
export async function drive(
  callers: number,
  durationMs: number,
  call: (caller: number) => Promise<void>,
): Promise<RoundFigures> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + durationMs;
  const loop = async (caller: number): Promise<void> => {
    for (let at = performance.now(); at < endAt;) {
      await call(caller);
      const done = performance.now();
      latencies.push(done - at);
      at = done;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
  return toRoundFigures(latencies, performance.now() - startedAt);
}

/** @param latencies milliseconds, one for each operation */
export function toRoundFigures(latencies: readonly number[], elapsedMs: number): RoundFigures {
  return {
    operations: latencies.length,
    elapsedMs,
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    p99Ms: quantile(latencies, 0.99),
  };
}
