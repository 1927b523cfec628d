// The noun intervention: what a person tells a running agent, and how far it got. choices-3.

export type InterventionAction = 'message' | 'pause' | 'resume' | 'cancel';

/**
 * `queued`: written down; `sent`: on its way to a worker; `delivered`: that worker says so; `failed`: it never will be,
 * `reason` says why; `applied`: it took effect in the record, and there was no run to tell (a cancel of a waiting task).
 */
export type InterventionStatus = 'queued' | 'sent' | 'delivered' | 'failed' | 'applied';

export interface Intervention {
  readonly id: string;
  readonly taskId: string;
  readonly action: InterventionAction;
  readonly message: string | null;
  /** The same message in the task's exchange. */
  readonly messageId: string | null;
  readonly status: InterventionStatus;
  /** Why it failed: a stable word, such as `agent_takes_no_messages`, `run_ended`, `task_completed`. */
  readonly reason: string | null;
  /** Where it was sent last. */
  readonly workerId: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly settledAt: string | null;
}

/** What its worker gets of one. */
export interface SentIntervention {
  readonly id: string;
  readonly taskId: string;
  readonly action: InterventionAction;
  readonly message: string | undefined;
  readonly messageId: string | undefined;
}

/** What a worker says has become of one. */
export interface InterventionAnswer {
  readonly id: string;
  readonly status: 'delivered' | 'failed';
  readonly reason: string | undefined;
}

/** What an agent's name may mean: a run of it, with whose it is. */
export interface RunningAttempt {
  readonly taskId: string;
  readonly workerId: string;
  readonly workerName: string;
}
