// The interface of a measured implementation: how it is opened, and how one round of it runs.
import type { BenchProcess } from './child.ts';
import type { RoundFigures } from './measure/round.ts';

export interface Implementation {
  readonly name: string;
  /** Describes one operation, for the table. */
  readonly what: string;
  readonly kind: 'submit' | 'share' | 'cycle' | 'call';
  /** The process whose CPU is measured: the server, or the caller of an in-process library. */
  readonly serverPid: number;
  /** The process of its store, measured with all its descendants. */
  readonly storePid?: number;
  round(): Promise<RoundFigures>;
}

/** Duration and concurrency of a round. */
export interface Size {
  readonly connections: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpRounds: number;
  readonly cycleOperations: number;
  readonly idleOperations: number;
}

/** The surroundings of an implementation. It registers everything that it opens in `closing`. */
export interface BenchSetup {
  readonly size: Size;
  readonly closing: AsyncDisposableStack;
  readonly start: (script: string, nodeArguments?: readonly string[]) => BenchProcess;
}
