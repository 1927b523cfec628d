// How slow this machine is: goals in microseconds were set on another, where the peers' own costs were measured too.
import { medianFigure, type Result } from '../measure/result.ts';
import type { BenchRun } from '../measure/run.ts';
import { median } from '../measure/statistics.ts';

/** CPU microseconds of one operation where the goals were set. */
const referenceCosts: readonly { readonly name: string; readonly kind: Result['kind']; readonly cpuMicros: number }[] =
  [
    { name: 'a statement per step', kind: 'cycle', cpuMicros: 988 },
    { name: 'graphile-worker', kind: 'submit', cpuMicros: 1012 },
    { name: 'pg-boss', kind: 'submit', cpuMicros: 631 },
    { name: 'BullMQ', kind: 'submit', cpuMicros: 68 },
  ];

/** What one microsecond of a goal is here: the median over the peers of this run; undefined when none took part. */
export function machineFactor({ results }: BenchRun): number | undefined {
  const factors = referenceCosts.flatMap(({ name, kind, cpuMicros }) =>
    results
      .filter((result) => result.kind === kind && result.name === name)
      .map((result) => medianFigure(result, 'cpuMicros') / cpuMicros),
  );
  return factors.length === 0 ? undefined : median(factors);
}
