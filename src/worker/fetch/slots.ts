// The worker's slots: the current attempts, never more than there are slots, and never one task twice.
import type { AssignmentWire, SentInterventionWire } from '../../contracts/worker.ts';
import type { Attempt, AttemptStart } from '../attempt/attempt.ts';

export interface SlotsOptions {
  readonly size: number;
  readonly start: (start: AttemptStart) => Attempt;
  /** Called when a slot becomes free. */
  readonly onFree: () => void;
}

/** The service repeats an assignment that may not have arrived; one that ended long ago must not start again. */
const rememberedLeases = 1000;

export class Slots {
  readonly #options: SlotsOptions;
  readonly #attempts = new Set<Attempt>();
  /** Known leases, oldest first. */
  readonly #seen = new Set<string>();
  #isClosed = false;

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /** How many tasks may be claimed: slots without anything left of an earlier attempt. */
  free(): number {
    return this.#isClosed ? 0 : Math.max(0, this.#options.size - this.#attempts.size);
  }

  /** Lease tokens of the current attempts. */
  leases(): string[] {
    return [...this.#attempts].map(({ leaseToken }) => leaseToken);
  }

  /**
   * Takes an assignment; a known one counts as taken. False: there is no slot for it.
   * @param heldSinceMs monotonic milliseconds from before its lease began
   */
  take(assignment: AssignmentWire, heldSinceMs: number): boolean {
    const { lease_token: leaseToken, task } = assignment;
    if (this.#seen.has(leaseToken)) return true;
    // An attempt whose work is done, while its result is on the way, takes no slot from new assignments.
    const busy = [...this.#attempts].filter((attempt) => attempt.working());
    const earlier = busy.find(({ taskId }) => taskId === task.id);
    if (this.#isClosed || busy.length - (earlier === undefined ? 0 : 1) >= this.#options.size) return false;
    this.#remember(leaseToken);
    earlier?.loseLease();
    // Owned: `idle` waits for every attempt.
    void this.#track(this.#options.start({ assignment, heldSinceMs, after: earlier?.worked }));
    return true;
  }

  cancel(taskId: string): void {
    for (const attempt of this.#attempts) if (attempt.taskId === taskId) attempt.cancel();
  }

  /** Delivers a person's intervention to the attempt of its task, if it is here. */
  deliverIntervention(intervention: SentInterventionWire): void {
    for (const attempt of this.#attempts)
      if (attempt.taskId === intervention.task_id) attempt.deliverIntervention(intervention);
  }

  /** Takes no more assignments. */
  close(): void {
    this.#isClosed = true;
  }

  /** Ends all work; every attempt releases its task as pending. */
  stop(): void {
    this.close();
    for (const attempt of this.#attempts) attempt.stop();
  }

  /** Resolves when no attempt is left. */
  async idle(): Promise<void> {
    while (this.#attempts.size > 0) await Promise.all([...this.#attempts].map(({ done }) => done));
  }

  #remember(leaseToken: string): void {
    this.#seen.add(leaseToken);
    const [oldest] = this.#seen;
    if (this.#seen.size > rememberedLeases && oldest !== undefined) this.#seen.delete(oldest);
  }

  async #track(attempt: Attempt): Promise<void> {
    this.#attempts.add(attempt);
    await attempt.done;
    this.#attempts.delete(attempt);
    this.#options.onFree();
  }
}
