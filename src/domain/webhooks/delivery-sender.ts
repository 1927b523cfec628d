// Sends webhooks and push notifications: connects the claimer, the pool and the recorder, and joins the queue's commits.
// Runs on every replica; the claim decides which one sends. When a replica dies, its claims expire, and another replica
// sends the deliveries under the same ids.
//
// An ordinary webhook costs no commit of its own: it is claimed in the commit that ends its task, and its outcome joins a
// later commit (`prepare`). All other due deliveries (retries, notifications, webhooks of cancelled tasks, deliveries of
// a dead replica) are found by the claimer's polls.
import type { CommitBatch, CommitParticipant, CommitWork } from '../ports/store/commit-participant.ts';
import type { WakeBus } from '../ports/wake.ts';
import { attemptBounds, attemptDelivery, maxTries, type AttemptDeps } from './attempt.ts';
import { toAttemptOutcome } from './attempt-report.ts';
import { DeliveryClaimer, type DeliveryClaimerDeps } from './delivery-claimer.ts';
import { DeliveryPool, type ClaimedDelivery } from './delivery-pool.ts';
import { deliveryOutcomesOf, OutcomeRecorder } from './outcome-recorder.ts';

export interface SenderDeps extends AttemptDeps, DeliveryClaimerDeps {
  readonly wake: WakeBus;
}

/** How long requests in flight may take when the service stops, in milliseconds. */
const shutdownGraceMs = 3_000;

export class DeliverySender implements CommitParticipant, AsyncDisposable {
  readonly #deps: SenderDeps;
  readonly #pool: DeliveryPool;
  readonly #recorder: OutcomeRecorder;
  readonly #claimer: DeliveryClaimer;
  readonly #abort = new AbortController();
  readonly #unsubscribe: () => void;
  /** Commits in progress that record or claim deliveries. */
  readonly #commitsInFlight = new Set<Promise<void>>();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#pool = new DeliveryPool({ now: deps.now, send: (claimed) => this.#send(claimed) });
    this.#recorder = new OutcomeRecorder({
      now: deps.now,
      metrics: deps.metrics,
      log: deps.log,
      onOverdue: () => this.#claimer.record(),
      onDueIn: (ms) => this.#claimer.pollIn(ms),
    });
    this.#claimer = new DeliveryClaimer(deps, this.#pool, this.#recorder);
    this.#unsubscribe = deps.wake.listen((hint) => {
      if (hint.kind === 'task') this.#claimer.onHint();
    });
  }

  /** Polls the outbox in the background, at the end of this turn of the event loop. */
  wake(): void {
    this.#claimer.pollIn(0);
  }

  /** @throws DomainError unavailable. @see DeliveryClaimer.poll */
  poll(): Promise<void> {
    return this.#claimer.poll();
  }

  prepare({ tenantId, endsTasks }: CommitBatch): CommitWork | undefined {
    const outcomes = this.#recorder.takeForCommit(tenantId);
    const capacity = endsTasks ? this.#pool.capacity(tenantId) : undefined;
    if (outcomes.length === 0 && capacity === undefined) return undefined;
    const settled = Promise.withResolvers<void>();
    this.#commitsInFlight.add(settled.promise);
    const settle = (): void => {
      this.#commitsInFlight.delete(settled.promise);
      settled.resolve();
    };
    return {
      deliveries: {
        outcomes: deliveryOutcomesOf(outcomes),
        maxTries,
        capacity: capacity && { ...capacity, leaseSeconds: attemptBounds.leaseSeconds },
      },
      committed: ({ deliveries }) => {
        this.#recorder.onRecorded(outcomes, deliveries.recorded);
        // Another notification of the task may have waited for one that is recorded now.
        if (outcomes.some(({ kind }) => kind === 'push')) this.#claimer.pollIn(0);
        this.#claimer.onCommitted(tenantId, deliveries);
        settle();
      },
      failed: () => {
        this.#recorder.onCommitFailed(outcomes);
        settle();
      },
    };
  }

  async #send(claimed: ClaimedDelivery): Promise<void> {
    const { tenantId, due, sign } = claimed;
    const outcome = await attemptDelivery(this.#deps, due, sign, this.#abort.signal);
    if (outcome === undefined) {
      this.#recorder.release([claimed]);
      return;
    }
    this.#recorder.add(toAttemptOutcome(tenantId, due, outcome));
    this.#claimer.onAttemptEnded();
  }

  /**
   * Drains the pool, waits for requests and commits in progress, and records their outcomes. Requests that exceed the
   * grace period are aborted and released, so that another replica can send them immediately.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#recorder.release(this.#pool.drain());
    this.#recorder.drain();
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, shutdownGraceMs);
    await Promise.race([Promise.all([...this.#commitsInFlight, this.#pool.waitUntilIdle()]), timeout.promise]);
    clearTimeout(timer);
    this.#abort.abort();
    await this.#pool.waitUntilIdle();
    this.#recorder.stop();
    await this.#claimer.stop();
  }
}
