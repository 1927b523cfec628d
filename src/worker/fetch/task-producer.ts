// Fills the slots with tasks: by push while the channel is open, by polling while it is not. core-6.3.
import type { AssignmentWire } from '../../contracts/worker.ts';
import { Backoff } from '../base/backoff.ts';
import { Notifier } from '../base/notifier.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import { ChannelSilent, listenToPushChannel, type PushListener } from '../service/push-channel.ts';
import type { WorkerRegistration } from '../service/registration.ts';
import { describeError, retryAfterMs, ServiceRefusal } from '../base/service-error.ts';
import type { Slots } from './slots.ts';

export interface TaskProducerOptions {
  readonly client: Pick<WorkerClient, 'claim' | 'openStream' | 'release'>;
  readonly registration: Pick<WorkerRegistration, 'fresh' | 'invalidate'>;
  readonly slots: Pick<Slots, 'free' | 'leases' | 'take' | 'cancel' | 'deliverIntervention'>;
  /** The number of all slots of the worker. */
  readonly size: number;
  readonly pollIntervalMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
  /** A push channel that is silent for so long counts as dead; default: derived from its heartbeats. */
  readonly silenceMs?: number;
}

/** For a service with a fixed heartbeat of 15 s. */
const defaultSilenceMs = 40_000;

/**
 * The interval of the channel's heartbeats, and the silence after which the channel counts as dead. A task that the
 * service pushed into a dead channel arrives within the poll interval and a second, including the next connection.
 */
function heartbeatPace(pollIntervalMs: number): { heartbeatMs: number; silenceMs: number } {
  const heartbeatMs = Math.min(15_000, Math.max(500, Math.round(pollIntervalMs / 2)));
  return { heartbeatMs, silenceMs: heartbeatMs + Math.min(1000, Math.max(400, pollIntervalMs / 2)) };
}

/**
 * After a silence the next calls may use another half-open connection of the pool, so they get little time. The time
 * doubles with each channel that does not open, because the service may only be busy.
 */
const probeTimeoutMs = 700;
const maxProbeTimeoutMs = 15_000;

/** Interval of claims while the channel is open, in case a hint was lost. */
const safetyPollMs = 60_000;
/** How long a hint waits while the channel is open: the service fills the slots itself, and a push may be on its way. */
const hintGraceMs = 1000;
/** A channel that takes longer to open, e.g. behind a buffering proxy, does not prevent claims meanwhile. */
const openingPatienceMs = 500;
/** The least time between two connections that only declare more slots. */
const redeclareMs = 1000;
/** A channel that was open for so long has proved the service healthy: the next backoff starts from the beginning. */
const stableAfterMs = 40_000;
const maxClaimSize = 64;
/** The gap between two claims for hints; doubles up to the poll interval while they return nothing. */
const firstHintGapMs = 100;

export type ProducerMode = 'connecting' | 'fetching' | 'full' | 'draining' | 'stopped';

/**
 * Fetches tasks for the free slots. Its mode is always one of these:
 *
 * - `stopped`: `run` was not called yet, or has returned.
 * - `connecting`: the push channel is being opened. The service is about to count the free slots, so no claim may start.
 * - `fetching`: slots are free. The service pushes tasks into the slots that the open channel has declared; claims fill
 *   the other slots, or all of them while the channel is closed.
 * - `full`: no slot is free. A requested claim waits until one is.
 * - `draining`: the signal has aborted. Tasks that found no slot are still being released.
 *
 * Transitions: `run` leads from `stopped` to `connecting`; each new connection leads there too. `connecting` ends when
 * the channel is open, fails to open, or takes longer than 500 ms, and becomes `fetching` or `full` by the free slots.
 * These two change as attempts begin and end. The signal leads from any of the three to `draining`, and the last release
 * to `stopped`.
 */
export class TaskProducer {
  readonly #options: TaskProducerOptions;
  readonly #clock: Clock;
  readonly #slots: TaskProducerOptions['slots'];
  readonly #pollIntervalMs: number;
  readonly #notifier: Notifier;
  readonly #claimBackoff: Backoff;
  readonly #listener: PushListener;
  readonly #cursor: { lastEventId?: string } = {};
  readonly #declining = new Set<Promise<void>>();
  /** The signal of `run` while it is running. */
  #signal: AbortSignal | undefined;
  #channel: 'closed' | 'opening' | 'open' = 'closed';
  /** When the last connection began. */
  #openedMs = 0;
  /** The slots that the service may fill through the channel, as declared when it was opened. */
  #declaredSlots = 0;
  /** Lease tokens that arrived through the channel. */
  #pushedLeases = new Set<string>();
  /** Aborts the current connection, to open another one with more slots. */
  #redeclare = new AbortController();
  /** The requested claim: of slots that the channel has not declared, or of all free ones. */
  #claimScope: 'none' | 'spare' | 'all' = 'none';
  /** The running claim. */
  #claiming: Promise<void> | undefined;
  /** When a claim is due without a request. */
  #nextClaimMs = 0;
  /** Grows while claims for hints return nothing, so that a flood of hints costs no more than polling. */
  #hintGapMs = firstHintGapMs;
  /** When the next hint may be followed. */
  #nextHintMs = 0;
  /** When the claim for the last hint is due. */
  #hintClaimMs = 0;
  /** Timeout of calls since the channel was silent; undefined: the service has answered since. */
  #callTimeoutMs: number | undefined;

  constructor(options: TaskProducerOptions) {
    const { clock, pollIntervalMs, random, slots } = options;
    this.#options = options;
    this.#clock = clock;
    this.#slots = slots;
    this.#pollIntervalMs = pollIntervalMs;
    this.#notifier = new Notifier(clock);
    this.#claimBackoff = new Backoff({ firstMs: Math.min(1000, pollIntervalMs), maxMs: 30_000, random });
    this.#listener = {
      up: () => this.#onChannelOpen(),
      assigned: (assignment) => {
        this.#pushedLeases.add(assignment.lease_token);
        this.#accept(assignment, clock.monotonicMs());
      },
      cancel: (taskId) => slots.cancel(taskId),
      intervention: (intervention) => slots.deliverIntervention(intervention),
      tasksWaiting: () => this.onTasksWaiting(),
    };
  }

  get mode(): ProducerMode {
    if (this.#signal === undefined) return 'stopped';
    if (this.#signal.aborted) return 'draining';
    if (this.#channel === 'opening' && this.#clock.monotonicMs() < this.#openedMs + openingPatienceMs)
      return 'connecting';
    return this.#slots.free() > 0 ? 'fetching' : 'full';
  }

  /** Fetches tasks until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await Promise.all([this.#connectLoop(signal), this.#claimLoop(signal)]);
    await Promise.all(this.#declining);
    this.#signal = undefined;
  }

  /** Must be called when a slot has become free. */
  onSlotFree(): void {
    this.#requestClaim(this.#channel === 'open' ? 'spare' : 'all');
  }

  /** An unverified hint of the broker that a task may be waiting. */
  onHint(): void {
    // The service gets the same hint, and fills the slots that the channel has declared.
    if (this.#channel === 'open' && this.#spareSlots() <= 0) return;
    const nowMs = this.#clock.monotonicMs();
    // A claim is due already, and covers this hint.
    if (nowMs < this.#hintClaimMs) return;
    if (nowMs > this.#nextHintMs + this.#pollIntervalMs) this.#hintGapMs = firstHintGapMs;
    this.#hintClaimMs = Math.max(nowMs, this.#nextHintMs);
    this.#nextHintMs = this.#hintClaimMs + this.#hintGapMs;
    this.#hintGapMs = Math.min(this.#pollIntervalMs, this.#hintGapMs * 2);
    this.#nextClaimMs = Math.min(this.#nextClaimMs, this.#hintClaimMs);
    this.#notifier.notify();
  }

  /** The service reports waiting tasks: claims them after a grace period, if they are not pushed before. */
  onTasksWaiting(): void {
    this.#nextClaimMs = Math.min(this.#nextClaimMs, this.#clock.monotonicMs() + hintGraceMs);
    this.#notifier.notify();
  }

  #requestClaim(scope: 'spare' | 'all'): void {
    if (this.#claimScope !== 'all') this.#claimScope = scope;
    this.#notifier.notify();
  }

  /** Slots that the channel has not declared, because they were busy when it was opened. */
  #spareSlots(): number {
    const claimed = this.#slots.leases().filter((lease) => !this.#pushedLeases.has(lease));
    return this.#options.size - this.#declaredSlots - claimed.length;
  }

  /** How many tasks to claim now. */
  #claimSize(): number {
    if (this.#claimScope === 'none' || this.mode !== 'fetching') return 0;
    const free = this.#slots.free();
    const onlySpare = this.#channel === 'open' && this.#claimScope === 'spare';
    return Math.min(maxClaimSize, onlySpare ? Math.min(free, this.#spareSlots()) : free);
  }

  async #claimLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const limit = this.#claimSize();
      if (limit > 0) {
        this.#claiming = this.#claim(limit, signal);
        await this.#claiming;
        this.#claiming = undefined;
      } else {
        const waitsForChannel = this.#claimScope !== 'none' && this.mode === 'connecting';
        const dueMs = waitsForChannel ? this.#openedMs + openingPatienceMs : this.#nextClaimMs;
        await this.#notifier.wait(signal, Math.max(0, dueMs - this.#clock.monotonicMs()));
        if (this.#clock.monotonicMs() < this.#nextClaimMs) continue;
        this.#claimScope = this.#channel === 'open' && this.#declaredSlots < this.#options.size ? 'spare' : 'all';
        this.#nextClaimMs = this.#clock.monotonicMs() + this.#pollIntervalMs;
      }
    }
  }

  async #claim(limit: number, signal: AbortSignal): Promise<void> {
    const { client, log, registration, size } = this.#options;
    const clock = this.#clock;
    this.#claimScope = 'none';
    this.#nextClaimMs = clock.monotonicMs() + (this.#channel === 'open' ? safetyPollMs : this.#pollIntervalMs);
    try {
      const { workerId, features } = await registration.fresh(signal);
      const sentMs = clock.monotonicMs();
      // Tasks that were pushed into a channel that is closed now would otherwise wait until their leases expire.
      const unseen = this.#channel !== 'open' && features.has('claim_unseen') ? { unseen: true as const } : {};
      const tasks = await client.claim({ worker_id: workerId, limit, ...unseen }, signal, this.#callTimeoutMs);
      this.#callTimeoutMs = undefined;
      this.#claimBackoff.reset();
      if (tasks.length > 0) this.#hintGapMs = firstHintGapMs;
      for (const assignment of tasks) this.#accept(assignment, sentMs);
      if (tasks.length === limit) this.#requestClaim('spare');
      else if (this.#channel === 'open' && this.#declaredSlots < size) this.#redeclareSlots();
    } catch (error) {
      if (signal.aborted) return;
      log.debug({ error: describeError(error) }, 'claim failed; will retry');
      if (isUnknownWorker(error)) registration.invalidate();
      this.#nextClaimMs = clock.monotonicMs() + this.#claimBackoff.nextMs(retryAfterMs(error));
    }
  }

  /** No more tasks are waiting, so it is a good time to reopen the channel with all free slots. */
  #redeclareSlots(): void {
    const dueMs = this.#openedMs + redeclareMs;
    if (this.#clock.monotonicMs() >= dueMs) this.#redeclare.abort();
    else this.#nextClaimMs = Math.min(this.#nextClaimMs, dueMs);
  }

  #accept(assignment: AssignmentWire, heldSinceMs: number): void {
    if (this.#slots.take(assignment, heldSinceMs)) return;
    const declined = this.#decline(assignment).finally(() => this.#declining.delete(declined));
    this.#declining.add(declined);
  }

  async #decline({ task, lease_token }: AssignmentWire): Promise<void> {
    const { client, log } = this.#options;
    log.info({ task: task.id }, 'no free slot; releasing the task');
    const error = { code: 'no_free_slot', message: 'the worker has no free slot' };
    try {
      await client.release(task.id, { lease_token, status: 'pending', error });
    } catch (cause) {
      log.warn({ task: task.id, error: describeError(cause) }, 'could not release a task; its lease will expire');
    }
  }

  #onChannelOpen(): void {
    this.#options.log.info({ slots: this.#declaredSlots }, 'push channel open');
    this.#channel = 'open';
    this.#callTimeoutMs = undefined;
    // The service fills the declared slots: claiming for them too would fill them twice.
    this.#claimScope = 'spare';
    this.#nextClaimMs = this.#clock.monotonicMs() + safetyPollMs;
    if (this.#spareSlots() < 0) this.#redeclare.abort();
    this.#notifier.notify();
  }

  async #connectLoop(signal: AbortSignal): Promise<void> {
    const { log, random, registration } = this.#options;
    const clock = this.#clock;
    const backoff = new Backoff({ firstMs: 250, maxMs: 10_000, random });
    while (!signal.aborted) {
      const beganMs = clock.monotonicMs();
      let failure: unknown;
      try {
        if (await this.#connect(signal)) continue;
      } catch (error) {
        if (signal.aborted) return;
        failure = error;
        if (isUnknownWorker(error)) registration.invalidate();
      }
      this.#requestClaim('all');
      const silent = failure instanceof ChannelSilent;
      if (silent) this.#callTimeoutMs = probeTimeoutMs;
      else if (this.#callTimeoutMs !== undefined)
        this.#callTimeoutMs = Math.min(maxProbeTimeoutMs, this.#callTimeoutMs * 2);
      if (clock.monotonicMs() - beganMs > stableAfterMs) backoff.reset();
      const why = failure === undefined ? 'ended by the service' : describeError(failure);
      log.info({ why }, 'push channel closed; reconnecting');
      // After a silence there was pause enough.
      if (!silent) await clock.wait(backoff.nextMs(retryAfterMs(failure)), signal);
    }
  }

  /** One connection, until it ends. @returns true when it was ended to declare more slots */
  async #connect(signal: AbortSignal): Promise<boolean> {
    const { client, registration } = this.#options;
    this.#channel = 'opening';
    this.#openedMs = this.#clock.monotonicMs();
    await this.#claiming;
    try {
      const { workerId, features } = await registration.fresh(signal);
      const pace = features.has('stream_heartbeat') ? heartbeatPace(this.#pollIntervalMs) : undefined;
      this.#redeclare = new AbortController();
      this.#pushedLeases = new Set();
      this.#declaredSlots = this.#slots.free();
      await listenToPushChannel(
        {
          client,
          workerId,
          slots: this.#declaredSlots,
          listener: this.#listener,
          clock: this.#clock,
          cursor: this.#cursor,
          silenceMs: this.#options.silenceMs ?? pace?.silenceMs ?? defaultSilenceMs,
          heartbeatMs: pace?.heartbeatMs,
          withinMs: this.#callTimeoutMs,
        },
        AbortSignal.any([signal, this.#redeclare.signal]),
      );
    } catch (error) {
      if (!this.#redeclare.signal.aborted) throw error;
    } finally {
      this.#channel = 'closed';
    }
    return this.#redeclare.signal.aborted;
  }
}

function isUnknownWorker(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.status === 404;
}
