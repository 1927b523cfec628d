// The one shape of what takes part: how it is opened, and what one round of it is.
import type { Child } from './child.ts';
import type { RoundFigures } from './measure/round.ts';

export interface Implementation {
  readonly name: string;
  /** What one operation of it is, for the table. */
  readonly what: string;
  readonly kind: 'submit' | 'share' | 'cycle' | 'call';
  /** The process whose CPU is its own: the server, or the one that calls in-process. */
  readonly serverPid: number;
  /** The process of its store, all that descends from it counted too. */
  readonly storePid?: number;
  round(): Promise<RoundFigures>;
}

/** How long and how wide. */
export interface Size {
  readonly connections: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpRounds: number;
  readonly cycleOperations: number;
  readonly idleOperations: number;
}

/** What a contestant is opened with; what it opens ends with `closing`. */
export interface BenchSetup {
  readonly size: Size;
  readonly closing: AsyncDisposableStack;
  readonly start: (script: string, nodeArguments?: readonly string[]) => Child;
}
