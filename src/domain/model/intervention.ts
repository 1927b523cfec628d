// The noun intervention: an instruction to a running agent, and its delivery state. choices-3.

export type InterventionAction = 'message' | 'pause' | 'resume' | 'cancel';

/**
 * `queued`: recorded; `sent`: on its way to a worker; `delivered`: acknowledged by that worker; `failed`: it
 * will never be delivered, for `reason`; `applied`: in effect, and no attempt had to be notified (cancel of a waiting
 * task).
 */
export type InterventionStatus = 'queued' | 'sent' | 'delivered' | 'failed' | 'applied';

export interface Intervention {
  readonly id: string;
  readonly taskId: string;
  readonly action: InterventionAction;
  readonly message: string | null;
  /** The id of the same message in the task's exchange. */
  readonly messageId: string | null;
  readonly status: InterventionStatus;
  /** A stable code for the failure, such as `agent_takes_no_messages`, `run_ended`, `task_completed`. */
  readonly reason: string | null;
  /** The worker that it was last sent to. */
  readonly workerId: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly settledAt: string | null;
}

/** An intervention as its worker receives it. */
export interface SentIntervention {
  readonly id: string;
  readonly taskId: string;
  readonly action: InterventionAction;
  readonly message: string | undefined;
  readonly messageId: string | undefined;
}

/** A worker's report on an intervention. */
export interface InterventionAnswer {
  readonly id: string;
  readonly status: 'delivered' | 'failed';
  readonly reason: string | undefined;
}

/** A running attempt that matches an agent's name, with its owner. */
export interface RunningAttempt {
  readonly taskId: string;
  readonly workerId: string;
  readonly workerName: string;
}
