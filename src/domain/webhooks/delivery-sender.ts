// The sender: claims deliveries that are due, sends them, records what came of it. Runs on every replica; the claim
// decides which one sends. A delivery whose sender dies is due again when its claim runs out, under the same id.
//
// The ordinary webhook costs it no commit: it is claimed in the one that ends its task, and its outcome goes with a later
// one (`board`). What else is due (retries, notifications, what a cancel or a dead replica left) is found by a look.
import type {
  ClaimedBatch,
  DeliveryClaim,
  DeliveryOutcome,
  DueDeliveries,
  DueDelivery,
  FoundDelivery,
  ReceiverCursor,
  RecordedOutcome,
  DeliveryCommitResult,
} from '../ports/store/deliveries.ts';
import type { CommitBatch, CommitParticipant, CommitWork } from '../ports/store/commit-participant.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import type { WakeBus } from '../ports/wake.ts';
import { DebouncedTimer } from './debounced-timer.ts';
import { attemptDelivery, retryDelaySeconds, type AttemptDeps } from './attempt.ts';
import { reportAttempts, reportDeadDeliveries, type AttemptMetrics, type AttemptOutcome } from './attempt-report.ts';
import { DeliveryPool, type ClaimedDelivery } from './delivery-pool.ts';
import { readTaskSnapshot, type TaskSnapshot } from './task-snapshot.ts';
import { createSigner, type Signer } from './sign.ts';

/** Writes down what a notification says, in the dialect of the protocol that its config was registered in. */
export type NotificationRenderer = (
  snapshot: TaskSnapshot,
  wire: string,
) => { readonly body: string; readonly contentType: string };

export interface SenderDeps extends AttemptDeps {
  readonly store: Store;
  readonly outbox: DueDeliveries;
  readonly wake: WakeBus;
  readonly renderNotification: NotificationRenderer;
  /** The installation's; the first signs. */
  readonly signingSecrets: readonly string[];
  readonly metrics: AttemptMetrics;
  readonly log: (line: string, details?: unknown) => void;
}

/** core-8. */
const maxTries = 3;
/** An attempt's ten seconds, and time to record it. */
const attemptBounds = { leaseSeconds: 15, maxTries };
/** Hints come with every line of every task's log; the outbox is looked at no more often than this for them. */
const minPollGapMs = 250;
/** What has ended waits this long for a commit that takes it along. */
const recordDelayMs = 50;
/** How soon what was claimed and got no hand is looked at. */
const stalePollMs = 1_000;
/** Milliseconds that requests under way have when the service stops. */
const shutdownGraceMs = 3_000;

const emptyBatch: ClaimedBatch = { due: [], secrets: [], dead: [] };

interface PendingOutcomes {
  readonly since: number;
  readonly outcomes: AttemptOutcome[];
}

type ReleasedClaim = DeliveryClaim & { readonly tenantId: string };

export class DeliverySender implements CommitParticipant, AsyncDisposable {
  readonly #deps: SenderDeps;
  readonly #pool: DeliveryPool;
  readonly #sign: Signer;
  readonly #stop = new AbortController();
  readonly #unsubscribe: () => void;
  #closing = false;
  /** What is known and not recorded, by tenant: for the next commit that takes it along, or a look. */
  readonly #pendingOutcomes = new Map<string, PendingOutcomes>();
  /** For a look alone: a commit that took it along failed, and it shall harm no other. */
  #outcomesToRetry: AttemptOutcome[] = [];
  /** Claimed, and not sent: no hand came free, or the service stops. */
  #released: ReleasedClaim[] = [];
  /** Commits under way that took something along. */
  readonly #commitsInFlight = new Set<Promise<void>>();
  #cursor: ReceiverCursor | undefined;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  /** The next round looks for what is due; without it, it records what is known. */
  #findsDue = false;
  /** Until a look finds nothing more, hands that come free make the next one. */
  #hasMoreDue = false;
  readonly #pollTimer: DebouncedTimer;
  readonly #recordTimer: DebouncedTimer;
  #polledAt = Number.NEGATIVE_INFINITY;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#sign = createSigner(deps.signingSecrets);
    this.#pool = new DeliveryPool({ now: deps.now, send: (claimed) => this.#send(claimed) });
    this.#pollTimer = new DebouncedTimer(deps.now, () => this.#inBackground(this.poll()));
    this.#recordTimer = new DebouncedTimer(deps.now, () => {
      if (this.#pendingOutcomes.size > 0) this.#inBackground(this.#startPolling());
    });
    this.#unsubscribe = deps.wake.listen((hint) => {
      if (hint.kind !== 'task') return;
      const pauseMs = this.#polledAt + minPollGapMs - deps.now();
      // The clock may have been set back.
      this.#pollTimer.scheduleIn(Math.max(0, Math.min(pauseMs, minPollGapMs)));
    });
  }

  /** Looks at the outbox as soon as this turn is over. */
  wake(): void {
    this.#pollTimer.scheduleIn(0);
  }

  prepare({ tenantId, endsTasks }: CommitBatch): CommitWork | undefined {
    if (this.#closing) return undefined;
    const outcomes = this.#pendingOutcomes.get(tenantId)?.outcomes ?? [];
    const capacity = endsTasks ? this.#pool.capacity(tenantId) : undefined;
    if (outcomes.length === 0 && capacity === undefined) return undefined;
    this.#pendingOutcomes.delete(tenantId);
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
        this.#onCommitted(tenantId, outcomes, deliveries);
        settle();
      },
      failed: () => {
        this.#onCommitFailed(outcomes);
        settle();
      },
    };
  }

  #onCommitFailed(outcomes: readonly AttemptOutcome[]): void {
    this.#outcomesToRetry.push(...outcomes);
    this.#pollTimer.scheduleIn(recordDelayMs);
  }

  #onCommitted(
    tenantId: string,
    outcomes: readonly AttemptOutcome[],
    { recorded, due, secrets, unclaimed }: DeliveryCommitResult,
  ): void {
    this.#reportAttempts(outcomes, recorded);
    if (unclaimed > 0) this.#hasMoreDue = true;
    // A notification waited behind a recorded one.
    if (outcomes.some(({ kind }) => kind === 'push')) this.#pollTimer.scheduleIn(0);
    if (due.length === 0) return;
    const sign = this.#signerOf(secrets);
    for (const one of due) this.#enqueue({ tenantId, host: one.host, due: one, sign });
  }

  #enqueue(claimed: ClaimedDelivery): void {
    if (this.#closing) this.#released.push(toReleasedClaim(claimed));
    else {
      this.#pool.add(claimed);
      if (this.#pool.hasWaiting) this.#pollTimer.scheduleWithin(stalePollMs);
    }
  }

  #signerOf(secrets: readonly string[]): Signer {
    return secrets.length > 0 ? createSigner(secrets) : this.#sign;
  }

  /**
   * Records what is known, then claims what is due until nothing is. Resolves when all is begun, not when it
   * has arrived. @throws DomainError unavailable
   */
  poll(): Promise<void> {
    this.#findsDue = true;
    return this.#startPolling();
  }

  /** One after the other, whoever asks for them. */
  #startPolling(): Promise<void> {
    this.#pollAgain = true;
    this.#polling ??= this.#pollUntilDone().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  async #pollUntilDone(): Promise<void> {
    while (this.#pollAgain && !this.#stop.signal.aborted) {
      const findsDue = this.#findsDue;
      this.#pollAgain = this.#findsDue = false;
      this.#released.push(...this.#pool.takeStale('stale').map(toReleasedClaim));
      if (this.#pool.hasWaiting) this.#pollTimer.scheduleWithin(stalePollMs);
      const due = findsDue ? await this.#findDue() : [];
      const found = Map.groupBy(due, (one) => one.tenantId);
      const outcomes = this.#takeOutcomes(new Set(found.keys()));
      const released = this.#released;
      this.#released = [];
      try {
        await this.#processTenants(outcomes, released, found);
      } catch (error) {
        // What cannot be recorded now stays for the next look; once its claim has run out it changes nothing any more.
        this.#outcomesToRetry.unshift(...outcomes);
        this.#released.unshift(...released);
        throw error;
      }
    }
  }

  /** What no commit took along in good time, and that of tenants that are turned to anyway. */
  #takeOutcomes(tenants: ReadonlySet<string>): AttemptOutcome[] {
    const taken = this.#outcomesToRetry;
    this.#outcomesToRetry = [];
    const now = this.#deps.now();
    for (const [tenantId, { since, outcomes }] of this.#pendingOutcomes) {
      const waitedMs = now - since;
      // Less than nothing: the clock was set back.
      if (waitedMs >= 0 && waitedMs < recordDelayMs && !tenants.has(tenantId)) {
        this.#recordTimer.scheduleIn(recordDelayMs - waitedMs);
        continue;
      }
      taken.push(...outcomes);
      this.#pendingOutcomes.delete(tenantId);
    }
    return taken;
  }

  /** In one transaction for each tenant records what was said, gives back what was not sent and claims what was found. */
  async #processTenants(
    attempts: readonly AttemptOutcome[],
    released: readonly ReleasedClaim[],
    found: ReadonlyMap<string, readonly FoundDelivery[]>,
  ): Promise<void> {
    const wasMidway = this.#cursor !== undefined;
    const attemptsByTenant = Map.groupBy(attempts, (one) => one.tenantId);
    const releasedByTenant = Map.groupBy(released, (one) => one.tenantId);
    for (const tenantId of new Set([...found.keys(), ...attemptsByTenant.keys(), ...releasedByTenant.keys()])) {
      await this.#processTenant(
        tenantId,
        attemptsByTenant.get(tenantId) ?? [],
        releasedByTenant.get(tenantId) ?? [],
        found.get(tenantId) ?? [],
      );
    }
    // Receivers are left to look at, or a notification that waited behind a recorded one.
    if (this.#cursor !== undefined || wasMidway || attempts.some(({ kind }) => kind === 'push'))
      this.#pollAgain = this.#findsDue = true;
  }

  async #findDue(): Promise<readonly FoundDelivery[]> {
    this.#polledAt = this.#deps.now();
    const limit = this.#closing ? 0 : this.#pool.freeSlots;
    if (limit <= 0) return [];
    const { found, next } = await this.#deps.outbox.findDue({ limit, ...this.#pool.snapshot, after: this.#cursor });
    this.#cursor = next;
    this.#hasMoreDue = found.length > 0;
    return found;
  }

  async #processTenant(
    tenantId: string,
    outcomes: readonly AttemptOutcome[],
    released: readonly ReleasedClaim[],
    found: readonly FoundDelivery[],
  ): Promise<void> {
    const hosts = new Map(found.map(({ deliveryId, host }) => [deliveryId, host]));
    const result = await this.#deps.store.within({ tenantId }, async (rows) => {
      const recorded =
        outcomes.length === 0 ? [] : await rows.deliveries.record(deliveryOutcomesOf(outcomes), maxTries);
      if (released.length > 0) await rows.deliveries.release(released);
      const claimed = found.length === 0 ? emptyBatch : await rows.deliveries.claim(found, attemptBounds);
      const written = [];
      for (const due of claimed.due) written.push({ due, form: await this.#renderBody(rows, due) });
      return { ended: recorded, begun: claimed, written };
    });
    this.#reportAttempts(outcomes, result.ended);
    reportDeadDeliveries(this.#deps, tenantId, result.begun.dead);
    const sign = this.#signerOf(result.begun.secrets);
    // Another hand was faster: what is due behind these is seen in the next look.
    if (result.begun.due.length + result.begun.dead.length < found.length) this.#pollTimer.scheduleIn(minPollGapMs);
    for (const { due, form } of result.written) {
      const host = hosts.get(due.deliveryId);
      if (host === undefined) continue;
      if (form === undefined) this.#addOutcome(toAttemptOutcome(tenantId, due, toRenderFailure(this.#deps, due)));
      else this.#enqueue({ tenantId, host, due: { ...due, ...form }, sign });
    }
  }

  #reportAttempts(outcomes: readonly AttemptOutcome[], recorded: readonly RecordedOutcome[]): void {
    reportAttempts(this.#deps, outcomes, recorded);
    const delays = outcomes.filter(({ outcome }) => !outcome.delivered).map(({ outcome }) => outcome.waitSeconds);
    if (delays.length > 0) this.#pollTimer.scheduleIn(Math.min(...delays) * 1000);
  }

  /** What is sent: as stored, or, for a notification that is sent the first time, written and stored now. */
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
      // One that cannot be written keeps no other from being sent.
      const ids = { task_id: due.taskId, delivery_id: due.deliveryId };
      this.#deps.log('a notification could not be written', { ...ids, error });
      return undefined;
    }
  }

  async #send({ tenantId, due, sign }: ClaimedDelivery): Promise<void> {
    const outcome = await attemptDelivery(this.#deps, due, sign, this.#stop.signal);
    if (outcome === undefined) this.#released.push({ tenantId, ...due });
    else this.#addOutcome(toAttemptOutcome(tenantId, due, outcome));
  }

  #addOutcome(outcome: AttemptOutcome): void {
    const pending = this.#pendingOutcomes.get(outcome.tenantId);
    if (pending === undefined) {
      this.#pendingOutcomes.set(outcome.tenantId, { since: this.#deps.now(), outcomes: [outcome] });
      this.#recordTimer.scheduleIn(recordDelayMs);
    } else {
      pending.outcomes.push(outcome);
    }
    // The next ones, before the hands have nothing left to do.
    if (this.#hasMoreDue && !this.#pool.hasWaiting) this.#pollTimer.scheduleWithin(0);
  }

  #inBackground(work: Promise<void>): void {
    // What fails is said, and the loop that calls `look` from time to time tries again.
    work.catch((error: unknown) => this.#deps.log('the outbox could not be looked at', error));
  }

  /** Lets what is under way arrive; what takes too long is given back, and is due at once on another replica. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#closing = true;
    this.#released.push(...this.#pool.takeStale('all').map(toReleasedClaim));
    await this.#polling?.catch(() => undefined);
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, shutdownGraceMs);
    await Promise.race([Promise.all([...this.#commitsInFlight, this.#pool.waitUntilIdle()]), timeout.promise]);
    clearTimeout(timer);
    this.#stop.abort();
    await this.#pool.waitUntilIdle();
    this.#pollTimer.stop();
    this.#recordTimer.stop();
    const outcomes = [...this.#outcomesToRetry, ...[...this.#pendingOutcomes.values()].flatMap((one) => one.outcomes)];
    try {
      await this.#processTenants(outcomes, this.#released, new Map());
    } catch (error) {
      this.#deps.log('what was being sent could not be given back: its claims run out by themselves', error);
    }
  }
}

function toReleasedClaim({ tenantId, due: { taskId, deliveryId, epoch } }: ClaimedDelivery): ReleasedClaim {
  return { tenantId, taskId, deliveryId, epoch };
}

function deliveryOutcomesOf(outcomes: readonly AttemptOutcome[]): DeliveryOutcome[] {
  return outcomes.map(({ outcome }) => outcome);
}

function toAttemptOutcome(tenantId: string, due: DueDelivery, outcome: DeliveryOutcome): AttemptOutcome {
  const { taskId, target, tries, traceparent } = due;
  return { tenantId, taskId, kind: target === null ? 'webhook' : 'push', attempt: tries, traceparent, outcome };
}

function toRenderFailure(deps: AttemptDeps, { taskId, deliveryId, epoch, tries }: DueDelivery): DeliveryOutcome {
  const error = 'what it tells of is gone, or could not be written';
  return {
    taskId,
    deliveryId,
    epoch,
    delivered: false,
    statusCode: null,
    error,
    waitSeconds: retryDelaySeconds(deps, tries),
  };
}
