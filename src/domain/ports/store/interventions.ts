// Rows of interventions, within a caller's tenant.
import type { RunningAttempt, Intervention, InterventionAction, SentIntervention } from '../../model/intervention.ts';
import type { TaskStatus } from '../../model/task/task-state.ts';
import type { Page } from './page.ts';

export interface NewIntervention {
  readonly id: string;
  readonly taskId: string;
  readonly action: InterventionAction;
  readonly message: string | null;
  readonly messageId: string | null;
  readonly createdBy: string;
}

export type InterventionVerdict =
  | { readonly verdict: 'missing' }
  | {
      /** `idle`: nobody runs the task; `full`: it has the maximum of open interventions. */
      readonly verdict: 'queued' | 'terminal' | 'idle' | 'full';
      readonly status: TaskStatus;
      /** The worker that runs the task. */
      readonly workerId: string | null;
    };

export interface InterventionFilter {
  readonly taskId?: string | undefined;
  readonly status?: Intervention['status'] | undefined;
}

export interface InterventionRows {
  /** Records it, unless the task's state does not allow it. */
  add(intervention: NewIntervention): Promise<InterventionVerdict>;
  find(id: string): Promise<Intervention | undefined>;
  /** Newest first. */
  list(filter: InterventionFilter, page: Page): Promise<Intervention[]>;
  /** Interventions of the worker's running tasks that it has not acknowledged; marks them as sent. */
  markSent(workerId: string): Promise<SentIntervention[]>;
  /** Tasks that an agent runs now, found by worker id, else worker name, else agent name; at most `limit`. */
  findRunningAttempts(agent: string, limit: number): Promise<RunningAttempt[]>;
  /** Whether a registered worker has this id or name, or runs an agent of this name. */
  hasAgent(agent: string): Promise<boolean>;
}
