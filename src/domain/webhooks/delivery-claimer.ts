// Finds deliveries that are due, claims them and passes them to the pool.
import type {
  ClaimedBatch,
  DeliveryCommitResult,
  DueDeliveries,
  DueDelivery,
  FoundDelivery,
  ReceiverCursor,
} from '../ports/store/deliveries.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { reportDeadDeliveries, toAttemptOutcome, type AttemptMetrics, type AttemptOutcome } from './attempt-report.ts';
import { attemptBounds, retryDelaySeconds, type AttemptDeps } from './attempt.ts';
import { DebouncedTimer } from './debounced-timer.ts';
import type { ClaimedDelivery, DeliveryPool } from './delivery-pool.ts';
import type { OutcomeRecorder, RecordWork } from './outcome-recorder.ts';
import { createSigner, type Signer } from './sign.ts';
import { readTaskSnapshot, type TaskSnapshot } from './task-snapshot.ts';

/** Renders the body of a notification in the protocol version that its config was registered in. */
export type NotificationRenderer = (
  snapshot: TaskSnapshot,
  wire: string,
) => { readonly body: string; readonly contentType: string };

export interface DeliveryClaimerDeps extends Pick<AttemptDeps, 'now' | 'random' | 'backoffSeconds'> {
  readonly store: Store;
  readonly outbox: DueDeliveries;
  readonly renderNotification: NotificationRenderer;
  /** The installation's signing secrets; the first signs. */
  readonly signingSecrets: readonly string[];
  readonly metrics: AttemptMetrics;
  readonly log: (line: string, details?: unknown) => void;
}

/** Every event of every task sends a hint; hints poll the outbox no more often than this. */
const minPollGapMs = 250;
/** How long a claimed delivery may wait for a free slot before a round checks whether to release it. */
const staleCheckMs = 1_000;

/** `poll` looks for due deliveries; `record` only records outcomes and released claims. */
type Round = 'poll' | 'record';

const emptyBatch: ClaimedBatch = { due: [], secrets: [], dead: [] };

/**
 * Claims due deliveries in rounds, one round at a time. A round takes what the recorder has to record, looks for due
 * deliveries if it was requested by a poll, and then records and claims in one transaction per tenant.
 *
 * The claimer is always in one of these modes:
 *
 * - `idle`: the initial mode. No round runs. `poll`, `record` and the timer move it to `running`.
 * - `running`: rounds run one after another until none is requested; then back to `idle`. Requests during a round are
 *   merged into the next one (`#requested`). A round that fails also moves to `idle`: a later poll repeats its work.
 * - `stopped`: the final mode, entered by `stop` from either of the others. The round in progress completes, then a
 *   final one records what is left. No other round starts.
 *
 * When the service stops, the pool drains first: rounds then claim nothing, and release what is passed to the pool.
 */
export class DeliveryClaimer {
  readonly #deps: DeliveryClaimerDeps;
  readonly #pool: DeliveryPool;
  readonly #recorder: OutcomeRecorder;
  readonly #sign: Signer;
  readonly #timer: DebouncedTimer;
  #mode: 'idle' | 'running' | 'stopped' = 'idle';
  /** The next round; undefined when none is requested. */
  #requested: Round | undefined;
  /** Resolves when no more rounds are requested; undefined while no round runs. */
  #rounds: Promise<void> | undefined;
  /** Set while the last poll did not reach all receivers. */
  #cursor: ReceiverCursor | undefined;
  /** The last poll found deliveries, or a commit left some unclaimed: free slots trigger the next poll. */
  #hasMoreDue = false;
  #polledAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DeliveryClaimerDeps, pool: DeliveryPool, recorder: OutcomeRecorder) {
    this.#deps = deps;
    this.#pool = pool;
    this.#recorder = recorder;
    this.#sign = createSigner(deps.signingSecrets);
    this.#timer = new DebouncedTimer(deps.now, () => this.#inBackground(this.poll()));
  }

  /**
   * Records what is known, then claims due deliveries until none is left. Resolves when all requests have started, not
   * when they have ended.
   * @throws DomainError unavailable
   */
  poll(): Promise<void> {
    this.#requested = 'poll';
    return this.#startRounds();
  }

  /** Records overdue outcomes in the background, without looking for due deliveries. */
  record(): void {
    this.#requested ??= 'record';
    this.#inBackground(this.#startRounds());
  }

  /** Polls in the background in `ms` milliseconds. */
  pollIn(ms: number): void {
    this.#timer.scheduleIn(ms);
  }

  /** Polls in the background as soon as the gap since the last poll is long enough. */
  onHint(): void {
    const pauseMs = this.#polledAt + minPollGapMs - this.#deps.now();
    // The clock may have been set back.
    this.#timer.scheduleIn(Math.max(0, Math.min(pauseMs, minPollGapMs)));
  }

  /** An attempt has ended. Polls before the slots run out of work, if more deliveries are due. */
  onAttemptEnded(): void {
    if (this.#hasMoreDue && !this.#pool.hasWaiting) this.#timer.scheduleWithin(0);
  }

  /** Sends the webhooks that a commit wrote and claimed. */
  onCommitted(tenantId: string, { due, secrets, unclaimed }: DeliveryCommitResult): void {
    if (unclaimed > 0) this.#hasMoreDue = true;
    if (due.length === 0) return;
    const sign = this.#signerOf(secrets);
    for (const one of due) this.#send({ tenantId, host: one.host, due: one, sign });
  }

  /** Waits for the round in progress, then records what is left in a final one. */
  async stop(): Promise<void> {
    this.#mode = 'stopped';
    this.#timer.stop();
    await this.#rounds?.catch(() => undefined);
    try {
      await this.#processTenants(this.#recorder.takeAll(), new Map());
    } catch (error) {
      this.#deps.log(
        'failed to record the last outcomes; unsent deliveries are retried when their claims expire',
        error,
      );
    }
  }

  #startRounds(): Promise<void> {
    if (this.#mode === 'stopped') return Promise.resolve();
    this.#rounds ??= this.#runRounds();
    return this.#rounds;
  }

  async #runRounds(): Promise<void> {
    this.#mode = 'running';
    try {
      while (this.#requested !== undefined && this.#mode === 'running') await this.#runRound(this.#requested);
    } finally {
      if (this.#mode === 'running') this.#mode = 'idle';
      // Every round awaits a transaction, so this is never undone by the assignment in `#startRounds`.
      this.#rounds = undefined;
    }
  }

  async #runRound(kind: Round): Promise<void> {
    this.#requested = undefined;
    this.#recorder.release(this.#pool.takeStale());
    if (this.#pool.hasWaiting) this.#timer.scheduleWithin(staleCheckMs);
    const due = kind === 'poll' ? await this.#findDue() : [];
    const found = Map.groupBy(due, (one) => one.tenantId);
    const work = this.#recorder.takeForRound(new Set(found.keys()));
    try {
      await this.#processTenants(work, found);
    } catch (error) {
      this.#recorder.onRoundFailed(work);
      throw error;
    }
    // The poll did not reach all receivers, or a notification waited for one that is recorded now.
    const hasMore = this.#cursor !== undefined || work.outcomes.some((outcome) => outcome.kind === 'push');
    if (hasMore) this.#requested = 'poll';
  }

  async #findDue(): Promise<readonly FoundDelivery[]> {
    this.#polledAt = this.#deps.now();
    const limit = this.#pool.freeSlots;
    if (limit <= 0) return [];
    const { found, next } = await this.#deps.outbox.findDue({ limit, ...this.#pool.snapshot, after: this.#cursor });
    this.#cursor = next;
    this.#hasMoreDue = found.length > 0;
    return found;
  }

  async #processTenants(
    { outcomes, released }: RecordWork,
    found: ReadonlyMap<string, readonly FoundDelivery[]>,
  ): Promise<void> {
    const outcomesByTenant = Map.groupBy(outcomes, (one) => one.tenantId);
    const releasedByTenant = Map.groupBy(released, (one) => one.tenantId);
    for (const tenantId of new Set([...found.keys(), ...outcomesByTenant.keys(), ...releasedByTenant.keys()])) {
      const work = {
        outcomes: outcomesByTenant.get(tenantId) ?? [],
        released: releasedByTenant.get(tenantId) ?? [],
      };
      await this.#processTenant(tenantId, work, found.get(tenantId) ?? []);
    }
  }

  /** Records, releases and claims in one transaction. */
  async #processTenant(tenantId: string, work: RecordWork, found: readonly FoundDelivery[]): Promise<void> {
    const hosts = new Map(found.map(({ deliveryId, host }) => [deliveryId, host]));
    const { recorded, claimed, rendered } = await this.#deps.store.within({ tenantId }, async (rows) => {
      const written = await this.#recorder.write(rows, work);
      const batch = found.length === 0 ? emptyBatch : await rows.deliveries.claim(found, attemptBounds);
      const forms = [];
      for (const due of batch.due) forms.push({ due, form: await this.#renderBody(rows, due) });
      return { recorded: written, claimed: batch, rendered: forms };
    });
    this.#recorder.onRecorded(work.outcomes, recorded);
    reportDeadDeliveries(this.#deps, tenantId, claimed.dead);
    // Another replica claimed some of these first; the next poll finds the deliveries behind them.
    if (claimed.due.length + claimed.dead.length < found.length) this.#timer.scheduleIn(minPollGapMs);
    const sign = this.#signerOf(claimed.secrets);
    for (const { due, form } of rendered) {
      const host = hosts.get(due.deliveryId);
      if (host === undefined) continue;
      if (form === undefined) this.#recorder.add(this.#toRenderFailure(tenantId, due));
      else this.#send({ tenantId, host, due: { ...due, ...form }, sign });
    }
  }

  #send(claimed: ClaimedDelivery): void {
    if (!this.#pool.add(claimed)) this.#recorder.release([claimed]);
    else if (this.#pool.hasWaiting) this.#timer.scheduleWithin(staleCheckMs);
  }

  #signerOf(secrets: readonly string[]): Signer {
    return secrets.length > 0 ? createSigner(secrets) : this.#sign;
  }

  /** Returns the stored body, or renders and stores the body of a notification before its first attempt. */
  async #renderBody(rows: Rows, due: DueDelivery): Promise<ReturnType<NotificationRenderer> | undefined> {
    const { body, contentType, target } = due;
    if (body !== null) return { body, contentType };
    const snapshot = await readTaskSnapshot(rows, due.taskId, due.seq);
    if (snapshot === undefined || target === null) return undefined;
    try {
      const form = this.#deps.renderNotification(snapshot, target.wire);
      await rows.deliveries.storeBody(due, form);
      return form;
    } catch (error) {
      // A notification that cannot be rendered must not keep others from being sent.
      const ids = { task_id: due.taskId, delivery_id: due.deliveryId };
      this.#deps.log('failed to render a notification; will retry', { ...ids, error });
      return undefined;
    }
  }

  #toRenderFailure(tenantId: string, due: DueDelivery): AttemptOutcome {
    const { taskId, deliveryId, epoch, tries } = due;
    return toAttemptOutcome(tenantId, due, {
      taskId,
      deliveryId,
      epoch,
      delivered: false,
      statusCode: null,
      error: 'the event no longer exists, or its notification could not be rendered',
      waitSeconds: retryDelaySeconds(this.#deps, tries),
    });
  }

  #inBackground(work: Promise<void>): void {
    // The loop that calls `poll` at intervals retries.
    work.catch((error: unknown) => this.#deps.log('failed to poll the outbox; will retry', error));
  }
}
