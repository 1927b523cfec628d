// All rounds of one contestant, and what is said of them.
import type { Contestant } from '../contestant.ts';
import { cpuMs } from './cpu.ts';
import type { RoundFigures } from './round.ts';
import { median } from './statistics.ts';

export interface MeasuredRound extends RoundFigures {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

export interface Result {
  readonly name: string;
  readonly what: string;
  readonly kind: Contestant['kind'];
  readonly rounds: MeasuredRound[];
}

/** One round with the CPU that its processes used meanwhile. */
export async function measureRound(contestant: Contestant): Promise<MeasuredRound> {
  const before = await cpuMs(contestant.pids);
  const figures = await contestant.round();
  const used = (await cpuMs(contestant.pids)) - before;
  return {
    ...figures,
    perSecond: (figures.operations / figures.elapsedMs) * 1000,
    cpuMicros: (used * 1000) / figures.operations,
  };
}

/** The median over the rounds. */
export function middle(result: Result, figure: keyof MeasuredRound): number {
  return median(result.rounds.map((round) => round[figure]));
}
