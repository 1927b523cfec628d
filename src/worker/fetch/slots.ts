// The worker's slots: the runs that go on now, never more than there are slots, and never one task twice.
import type { AssignmentWire, SentInterventionWire } from '../../contracts/worker.ts';
import type { Attempt, AttemptStart } from '../attempt/attempt.ts';

export interface Slots {
  /** How many tasks may be asked for: slots in which nothing is left of an earlier run. */
  free(): number;
  /** Lease tokens of the runs that are here. */
  leases(): string[];
  /**
   * Takes an assignment. One that is here already is taken as read. False: there is no slot for it.
   * @param heldSinceMs monotonic milliseconds at which its lease had not begun yet
   */
  take(assignment: AssignmentWire, heldSinceMs: number): boolean;
  cancel(taskId: string): void;
  /** A person told a task something that may run here. */
  deliverIntervention(intervention: SentInterventionWire): void;
  /** Takes nothing more. */
  close(): void;
  /** Ends all work; every run gives its task back. */
  stop(): void;
  /** Resolves when no run is left. */
  idle(): Promise<void>;
}

export interface SlotsOptions {
  size: number;
  start: (start: AttemptStart) => Attempt;
  /** A slot has become free. */
  onFree: () => void;
}

/** The service repeats an assignment that may not have arrived; one that is long done must not begin anew. */
const rememberedLeases = 1000;

export function createSlots(options: SlotsOptions): Slots {
  const attempts = new Set<Attempt>();
  /** Leases seen, the oldest first. */
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
      // A run whose work is done, its result on the way, takes no slot from what the service assigns meanwhile.
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
