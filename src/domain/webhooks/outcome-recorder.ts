// Keeps delivery outcomes and released claims until a transaction records them.
import type { DeliveryClaim, DeliveryOutcome, RecordedOutcome } from '../ports/store/deliveries.ts';
import type { Rows } from '../ports/store/store.ts';
import { reportAttempts, type AttemptMetrics, type AttemptOutcome } from './attempt-report.ts';
import { maxTries } from './attempt.ts';
import { DebouncedTimer } from './debounced-timer.ts';
import type { ClaimedDelivery } from './delivery-pool.ts';

/** How long an outcome waits for a commit of its tenant that it can join. */
export const recordDelayMs = 50;

export interface OutcomeRecorderDeps {
  readonly now: () => number;
  readonly metrics: AttemptMetrics;
  readonly log: (line: string, details?: unknown) => void;
  /** Outcomes have waited long enough: record them in a transaction of their own. */
  readonly onOverdue: () => void;
  /** A delivery is due, or outcomes can be recorded again, after `ms` milliseconds. */
  readonly onDueIn: (ms: number) => void;
}

type ReleasedClaim = DeliveryClaim & { readonly tenantId: string };

/** The work of one transaction per tenant. */
export interface RecordWork {
  readonly outcomes: readonly AttemptOutcome[];
  /** Claimed deliveries that were not sent. */
  readonly released: readonly ReleasedClaim[];
}

interface PendingOutcomes {
  readonly since: number;
  readonly outcomes: AttemptOutcome[];
}

const noOutcomes: readonly AttemptOutcome[] = [];

/**
 * Keeps outcomes and released claims until they are recorded. An outcome joins the next commit of its tenant, so that
 * recording it costs no commit; when there is none within `recordDelayMs`, the claimer records it.
 *
 * The recorder is always in one of these modes:
 *
 * - `open`: the initial mode. Outcomes may join commits (`takeForCommit`). The first outcome of a tenant starts a delay;
 *   when it is over, `onOverdue` fires. `drain` moves to `draining`.
 * - `draining`: the service stops. Outcomes no longer join commits, because their result might arrive too late; the
 *   claimer's rounds and its final one record them. `stop` moves to `stopped`.
 * - `stopped`: the final mode. Timers are stopped. `takeAll` returns the rest for the final round.
 *
 * Outcomes of a failed commit or round are kept in every mode. They join no other commit, so that an outcome that cannot
 * be recorded makes no other commit fail.
 */
export class OutcomeRecorder {
  readonly #deps: OutcomeRecorderDeps;
  readonly #timer: DebouncedTimer;
  #mode: 'open' | 'draining' | 'stopped' = 'open';
  /** Outcomes that a commit or a round may take, by tenant. */
  readonly #pending = new Map<string, PendingOutcomes>();
  /** Outcomes that only a round may take, because a commit or a round with them failed. */
  #toRetry: AttemptOutcome[] = [];
  #released: ReleasedClaim[] = [];

  constructor(deps: OutcomeRecorderDeps) {
    this.#deps = deps;
    this.#timer = new DebouncedTimer(deps.now, () => {
      if (this.#pending.size > 0) deps.onOverdue();
    });
  }

  /** Keeps the outcome of an attempt. */
  add(outcome: AttemptOutcome): void {
    const pending = this.#pending.get(outcome.tenantId);
    if (pending !== undefined) {
      pending.outcomes.push(outcome);
      return;
    }
    this.#pending.set(outcome.tenantId, { since: this.#deps.now(), outcomes: [outcome] });
    this.#timer.scheduleIn(recordDelayMs);
  }

  /** Keeps claims of deliveries that were not sent, so that they are due again as soon as a round has recorded that. */
  release(deliveries: readonly ClaimedDelivery[]): void {
    for (const { tenantId, due } of deliveries) {
      const { taskId, deliveryId, epoch } = due;
      this.#released.push({ tenantId, taskId, deliveryId, epoch });
    }
  }

  /** Takes the outcomes that join a commit of this tenant. */
  takeForCommit(tenantId: string): readonly AttemptOutcome[] {
    const pending = this.#mode === 'open' ? this.#pending.get(tenantId) : undefined;
    if (pending === undefined) return noOutcomes;
    this.#pending.delete(tenantId);
    return pending.outcomes;
  }

  onCommitFailed(outcomes: readonly AttemptOutcome[]): void {
    this.#toRetry.push(...outcomes);
    this.#deps.onDueIn(recordDelayMs);
  }

  /** Takes the outcomes that a round records: those that are overdue, those of the round's tenants, and all releases. */
  takeForRound(tenants: ReadonlySet<string>): RecordWork {
    const now = this.#deps.now();
    const outcomes = this.#toRetry;
    for (const [tenantId, pending] of this.#pending) {
      const waitedMs = now - pending.since;
      // A negative wait means that the clock was set back.
      if (waitedMs >= 0 && waitedMs < recordDelayMs && !tenants.has(tenantId)) {
        this.#timer.scheduleIn(recordDelayMs - waitedMs);
        continue;
      }
      outcomes.push(...pending.outcomes);
      this.#pending.delete(tenantId);
    }
    const released = this.#released;
    this.#toRetry = [];
    this.#released = [];
    return { outcomes, released };
  }

  /** Takes everything, for the final round. */
  takeAll(): RecordWork {
    return this.takeForRound(new Set(this.#pending.keys()));
  }

  /** Keeps the work of a failed round for the next. An outcome whose claim has expired by then changes nothing. */
  onRoundFailed({ outcomes, released }: RecordWork): void {
    this.#toRetry.unshift(...outcomes);
    this.#released.unshift(...released);
  }

  /** Records one tenant's work within its transaction. @returns the new status where the claim was still valid */
  async write(rows: Rows, { outcomes, released }: RecordWork): Promise<readonly RecordedOutcome[]> {
    const recorded = outcomes.length === 0 ? [] : await rows.deliveries.record(deliveryOutcomesOf(outcomes), maxTries);
    if (released.length > 0) await rows.deliveries.release(released);
    return recorded;
  }

  /** Counts and logs outcomes after their transaction has committed, and schedules the next attempts. */
  onRecorded(outcomes: readonly AttemptOutcome[], recorded: readonly RecordedOutcome[]): void {
    reportAttempts(this.#deps, outcomes, recorded);
    const delays = outcomes.filter(({ outcome }) => !outcome.delivered).map(({ outcome }) => outcome.waitSeconds);
    if (delays.length > 0) this.#deps.onDueIn(Math.min(...delays) * 1000);
  }

  drain(): void {
    if (this.#mode === 'open') this.#mode = 'draining';
  }

  stop(): void {
    this.#mode = 'stopped';
    this.#timer.stop();
  }
}

export function deliveryOutcomesOf(outcomes: readonly AttemptOutcome[]): DeliveryOutcome[] {
  return outcomes.map(({ outcome }) => outcome);
}
