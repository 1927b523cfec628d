// The relative speed of this machine: goals in microseconds were set on another one, where the peers were measured too.
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

/** Factor from a goal's microseconds to this machine's: the median over the peers; undefined without peers. */
export function machineFactor({ results }: BenchRun): number | undefined {
  const factors = referenceCosts.flatMap(({ name, kind, cpuMicros }) =>
    results
      .filter((result) => result.kind === kind && result.name === name)
      .map((result) => medianFigure(result, 'cpuMicros') / cpuMicros),
  );
  return factors.length === 0 ? undefined : median(factors);
}
