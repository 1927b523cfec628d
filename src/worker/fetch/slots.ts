// The worker's slots: the runs that go on now, never more than there are slots, and never one task twice.
import type { Assignment, SentInterventionWire } from '../../contracts/worker.ts';
import type { Run, RunStart } from '../attempt/run.ts';

export interface Slots {
  /** How many tasks may be asked for: slots in which nothing is left of an earlier run. */
  free(): number;
  /** Lease tokens of the runs that are here. */
  leases(): string[];
  /**
   * Takes an assignment. One that is here already is taken as read. False: there is no slot for it.
   * @param heldSinceMs monotonic milliseconds at which its lease had not begun yet
   */
  take(assignment: Assignment, heldSinceMs: number): boolean;
  cancel(taskId: string): void;
  /** A person told a task something that may run here. */
  hear(intervention: SentInterventionWire): void;
  /** Takes nothing more. */
  close(): void;
  /** Ends all work; every run gives its task back. */
  stop(): void;
  /** Resolves when no run is left. */
  idle(): Promise<void>;
}

export interface SlotsOptions {
  size: number;
  start: (start: RunStart) => Run;
  /** A slot has become free. */
  onFree: () => void;
}

/** The service repeats an assignment that may not have arrived; one that is long done must not begin anew. */
const rememberedLeases = 1000;

export function createSlots(options: SlotsOptions): Slots {
  const runs = new Set<Run>();
  /** Leases seen, the oldest first. */
  const seen = new Set<string>();
  let closed = false;

  function remember(leaseToken: string): void {
    seen.add(leaseToken);
    const [oldest] = seen;
    if (seen.size > rememberedLeases && oldest !== undefined) seen.delete(oldest);
  }

  async function own(run: Run): Promise<void> {
    runs.add(run);
    await run.done;
    runs.delete(run);
    options.onFree();
  }

  return {
    free: () => (closed ? 0 : Math.max(0, options.size - runs.size)),
    leases: () => [...runs].map(({ leaseToken }) => leaseToken),
    take(assignment, heldSinceMs) {
      const { lease_token: leaseToken, task } = assignment;
      if (seen.has(leaseToken)) return true;
      // A run whose work is done, its result on the way, takes no slot from what the service assigns meanwhile.
      const busy = [...runs].filter((run) => run.working());
      const earlier = busy.find(({ taskId }) => taskId === task.id);
      if (closed || busy.length - (earlier === undefined ? 0 : 1) >= options.size) return false;
      remember(leaseToken);
      earlier?.lose();
      void own(options.start({ assignment, heldSinceMs, after: earlier?.worked }));
      return true;
    },
    cancel(taskId) {
      for (const run of runs) if (run.taskId === taskId) run.cancel();
    },
    hear(intervention) {
      for (const run of runs) if (run.taskId === intervention.task_id) run.hear(intervention);
    },
    close() {
      closed = true;
    },
    stop() {
      closed = true;
      for (const run of runs) run.stop();
    },
    async idle() {
      while (runs.size > 0) await Promise.all([...runs].map(({ done }) => done));
    },
  };
}
