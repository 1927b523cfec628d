// The worker's slots: the current attempts, never more than there are slots, and never one task twice.
import type { AssignmentWire, SentInterventionWire } from '../../contracts/worker.ts';
import type { Attempt, AttemptStart } from '../attempt/attempt.ts';

export interface Slots {
  /** How many tasks may be claimed: slots without anything left of an earlier attempt. */
  free(): number;
  /** Lease tokens of the current attempts. */
  leases(): string[];
  /**
   * Takes an assignment; a known one counts as taken. False: there is no slot for it.
   * @param heldSinceMs monotonic milliseconds from before its lease began
   */
  take(assignment: AssignmentWire, heldSinceMs: number): boolean;
  cancel(taskId: string): void;
  /** Delivers a person's intervention to the attempt of its task, if it is here. */
  deliverIntervention(intervention: SentInterventionWire): void;
  /** Takes no more assignments. */
  close(): void;
  /** Ends all work; every attempt releases its task as pending. */
  stop(): void;
  /** Resolves when no attempt is left. */
  idle(): Promise<void>;
}

export interface SlotsOptions {
  readonly size: number;
  readonly start: (start: AttemptStart) => Attempt;
  /** Called when a slot becomes free. */
  readonly onFree: () => void;
}

/** The service repeats an assignment that may not have arrived; one that ended long ago must not start again. */
const rememberedLeases = 1000;

export function createSlots(options: SlotsOptions): Slots {
  const attempts = new Set<Attempt>();
  /** Known leases, oldest first. */
  const seen = new Set<string>();
  let closed = false;

  function remember(leaseToken: string): void {
    seen.add(leaseToken);
    const [oldest] = seen;
    if (seen.size > rememberedLeases && oldest !== undefined) seen.delete(oldest);
  }

  async function track(attempt: Attempt): Promise<void> {
    attempts.add(attempt);
    await attempt.done;
    attempts.delete(attempt);
    options.onFree();
  }

  return {
    free: () => (closed ? 0 : Math.max(0, options.size - attempts.size)),
    leases: () => [...attempts].map(({ leaseToken }) => leaseToken),
    take(assignment, heldSinceMs) {
      const { lease_token: leaseToken, task } = assignment;
      if (seen.has(leaseToken)) return true;
      // An attempt whose work is done, while its result is on the way, takes no slot from new assignments.
      const busy = [...attempts].filter((attempt) => attempt.working());
      const earlier = busy.find(({ taskId }) => taskId === task.id);
      if (closed || busy.length - (earlier === undefined ? 0 : 1) >= options.size) return false;
      remember(leaseToken);
      earlier?.loseLease();
      void track(options.start({ assignment, heldSinceMs, after: earlier?.worked }));
      return true;
    },
    cancel(taskId) {
      for (const attempt of attempts) if (attempt.taskId === taskId) attempt.cancel();
    },
    deliverIntervention(intervention) {
      for (const attempt of attempts)
        if (attempt.taskId === intervention.task_id) attempt.deliverIntervention(intervention);
    },
    close() {
      closed = true;
    },
    stop() {
      closed = true;
      for (const attempt of attempts) attempt.stop();
    },
    async idle() {
      while (attempts.size > 0) await Promise.all([...attempts].map(({ done }) => done));
    },
  };
}
