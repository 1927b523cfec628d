// The dependencies of the director of runs: the store, the decision, and the builder of the tasks of steps.
import type { ActingDeps } from '../../access/acting-owner.ts';
import type { RunEffect } from '../../model/run/effect.ts';
import type { AttemptStatus, StepKind } from '../../model/run/run-state.ts';
import type { RunSnapshot } from '../../model/run/snapshot.ts';
import type { StepResult } from '../../model/run/step.ts';
import type { TaskDraft } from '../../model/task/task-draft.ts';
import type { LoopAudit } from '../../ports/audit.ts';
import type { CrossTenantQueries } from '../../ports/store/cross-tenant-queries.ts';
import type { Store } from '../../ports/store/store.ts';
import type { WakeBus } from '../../ports/wake.ts';
import type { StepTaskInput } from '../step-task.ts';
import type { MakeId } from '../../../lib/uuid7.ts';

export interface RunMetrics {
  stepEnded(kind: StepKind, seconds: number): void;
  attemptEnded(outcome: Exclude<AttemptStatus, 'open'>): void;
  /** The delay of a look behind its due time. */
  lagged(seconds: number): void;
}

export interface DirectorDeps extends ActingDeps {
  readonly store: Store;
  readonly crossTenant: Pick<CrossTenantQueries, 'dueRuns' | 'runsWithEndedSteps' | 'openStepTasks'>;
  readonly audit: LoopAudit;
  /** Whether publishing waits since a restore. */
  readonly sends: { areHeld(): Promise<boolean> };
  readonly wake: WakeBus;
  readonly makeId: MakeId;
  /** Milliseconds since 1970 by the database's clock. */
  readonly now: () => number;
  /** Pure and total: what has to change, given everything about a run. */
  readonly decide: (snapshot: RunSnapshot, now: Date) => readonly RunEffect[];
  readonly buildStepTask: (input: StepTaskInput) => TaskDraft;
  /** Undefined: the content is not the contract's. */
  readonly parseStepResult: (content: unknown) => StepResult | undefined;
  readonly maxActiveRuns: number;
  readonly verifier: RunSnapshot['verifier'];
  readonly defaultMaxAttempts: number;
  readonly metrics: RunMetrics;
  readonly log: (line: string, details?: unknown) => void;
}
