// One alternated run: every implementation in turn, round after round, so that a slow phase of the machine affects all
// of them.
import type { Implementation, Size } from '../implementation.ts';
import type { ServiceImplementations } from '../implementations/service.ts';
import type { BenchService } from '../service.ts';
import type { Memory } from './memory.ts';
import { measureRound, type Result } from './result.ts';
import type { RoundFigures } from './round.ts';

export interface IdleRound {
  readonly commit: RoundFigures;
  readonly start: RoundFigures;
}

export interface BenchRun {
  readonly size: Size;
  readonly results: readonly Result[];
  readonly idle: readonly IdleRound[];
  readonly memoryAtStart: Memory;
  readonly memoryAfterLoad: Memory;
}

/** Warm-up rounds are run like the others and not counted. */
export async function runAlternated(
  service: Pick<BenchService, 'memory' | 'memoryAtStart'> & Pick<ServiceImplementations, 'idle'>,
  implementations: readonly Implementation[],
  size: Size,
  log: (line: string) => void,
): Promise<BenchRun> {
  const results: Result[] = implementations.map(({ name, what, kind }) => ({ name, what, kind, rounds: [] }));
  const idle: IdleRound[] = [];
  for (let round = 1 - size.warmUpRounds; round <= size.rounds; round += 1) {
    log(round < 1 ? 'warming up' : `round ${round} of ${size.rounds}`);
    for (const [i, implementation] of implementations.entries()) {
      const measured = await measureRound(implementation);
      if (round >= 1) results[i]?.rounds.push(measured);
    }
    const measured = await service.idle(size.idleOperations);
    if (round >= 1) idle.push(measured);
  }
  const memoryAfterLoad = await service.memory();
  return { size, results, idle, memoryAtStart: service.memoryAtStart, memoryAfterLoad };
}
