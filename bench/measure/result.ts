// All rounds of one implementation, and their summary.
import type { Implementation } from '../implementation.ts';
import { cpuMs } from './cpu.ts';
import type { RoundFigures } from './round.ts';
import { median } from './statistics.ts';

export interface MeasuredRound extends RoundFigures {
  readonly perSecond: number;
  /** Time of server and store together, for one operation. */
  readonly cpuMicros: number;
  readonly serverCpuMicros: number;
  readonly storeCpuMicros: number;
}

export interface Result {
  readonly name: string;
  readonly what: string;
  readonly kind: Implementation['kind'];
  readonly rounds: MeasuredRound[];
}

/** One round with the CPU that its processes used meanwhile. */
export async function measureRound(implementation: Implementation): Promise<MeasuredRound> {
  const pids = [implementation.serverPid, ...(implementation.storePid === undefined ? [] : [implementation.storePid])];
  const before = await cpuMs(pids);
  const figures = await implementation.round();
  const after = await cpuMs(pids);
  const [server = 0, store = 0] = after.map((ms, i) => ((ms - (before[i] ?? 0)) * 1000) / figures.operations);
  return {
    ...figures,
    perSecond: (figures.operations / figures.elapsedMs) * 1000,
    cpuMicros: server + store,
    serverCpuMicros: server,
    storeCpuMicros: store,
  };
}

/** The median over the rounds. */
export function medianFigure(result: Result, figure: keyof MeasuredRound): number {
  return median(result.rounds.map((round) => round[figure]));
}
