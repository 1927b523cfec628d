// Renews the leases of all attempts with one heartbeat, and notifies an attempt at once when its lease is lost.
// choices-5.
import { Backoff } from '../base/backoff.ts';
import { Notifier } from '../base/notifier.ts';
import type { SentInterventionWire } from '../../contracts/worker.ts';
import type { WorkerClient } from './client.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import type { WorkerRegistration } from './registration.ts';
import { describeError, retryAfterMs, ServiceRefusal } from '../base/service-error.ts';

/** A lease that an attempt registers here. */
export interface KeptLease {
  readonly taskId: string;
  readonly leaseToken: string;
  /** Monotonic milliseconds: the latest known moment before the lease began. */
  readonly heldSinceMs: number;
  /** Lost: the service reported it, or it expired here without a renewal. May be called more than once. */
  readonly onLost: (by: 'service' | 'deadline') => void;
  /** Called when a caller cancelled the task. */
  readonly onCancel: () => void;
  /** Called for an intervention of a person, again and again until it is answered. */
  readonly onIntervention: (intervention: SentInterventionWire) => void;
}

export interface LeaseKeeperOptions {
  readonly client: Pick<WorkerClient, 'heartbeat'>;
  readonly registration: Pick<WorkerRegistration, 'current' | 'fresh' | 'invalidate'>;
  readonly slotsFree: () => number;
  /** Called when the service reports waiting tasks although this worker has free slots. */
  readonly onTasksWaiting: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
}

interface Entry extends KeptLease {
  /** When the lease ends at the earliest: counted from before the call that granted or renewed it. */
  endsMs: number;
  /** Whether the attempt was notified of that end. */
  expiryReported: boolean;
}

export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #entries = new Set<Entry>();
  readonly #backoff: Backoff;
  readonly #notifier: Notifier;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#backoff = new Backoff({ firstMs: 500, maxMs: 5000, random: options.random });
    this.#notifier = new Notifier(options.clock);
  }

  /** Renews the lease from now on. @returns a function that stops it */
  keep(lease: KeptLease): () => void {
    const { leaseMs } = this.#options.registration.current();
    const entry = { ...lease, endsMs: lease.heldSinceMs + leaseMs, expiryReported: false };
    this.#entries.add(entry);
    this.#notifier.notify();
    return () => {
      this.#entries.delete(entry);
    };
  }

  /**
   * Sends heartbeats until `signal` aborts, with or without leases: the service also learns from them that the worker
   * is alive.
   */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#sendHeartbeats(signal), this.#watchDeadlines(signal)]);
  }

  /** The service may be unreachable while its reaper is not, so an attempt has to end by the worker's own clock. */
  async #watchDeadlines(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const nowMs = this.#options.clock.monotonicMs();
      const waiting = [...this.#entries].filter(({ expiryReported }) => !expiryReported);
      for (const entry of waiting.filter(({ endsMs }) => endsMs <= nowMs)) {
        entry.expiryReported = true;
        entry.onLost('deadline');
      }
      const nextMs = Math.min(...waiting.filter(({ expiryReported }) => !expiryReported).map(({ endsMs }) => endsMs));
      await this.#notifier.wait(signal, Number.isFinite(nextMs) ? nextMs - nowMs : undefined);
    }
  }

  async #sendHeartbeats(signal: AbortSignal): Promise<void> {
    const { clock, log, registration } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#sendHeartbeat(signal);
        this.#backoff.reset();
        await clock.wait(registration.current().heartbeatMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ error: describeError(error) }, 'heartbeat failed; will retry');
        if (error instanceof ServiceRefusal && error.status === 404) registration.invalidate();
        await clock.wait(this.#backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
  }

  async #sendHeartbeat(signal: AbortSignal): Promise<void> {
    const { client, clock, registration, slotsFree, onTasksWaiting } = this.#options;
    const { workerId, leaseMs } = await registration.fresh(signal);
    const sentMs = clock.monotonicMs();
    // The answer is compared with the leases of the request only: attempts may end and begin meanwhile.
    const reported = new Map([...this.#entries].map((entry) => [entry.taskId, entry]));
    const running = [...reported.values()].map(({ taskId, leaseToken }) => ({
      task_id: taskId,
      lease_token: leaseToken,
    }));
    const answer = await client.heartbeat(workerId, { running, slots_free: slotsFree() }, signal);
    if (answer.tasks_waiting) onTasksWaiting();
    for (const { task_id } of answer.renewed) {
      const entry = reported.get(task_id);
      if (entry === undefined) continue;
      entry.endsMs = sentMs + leaseMs;
      entry.expiryReported = false;
    }
    for (const intervention of answer.interventions) reported.get(intervention.task_id)?.onIntervention(intervention);
    const stopped = answer.interventions.filter(({ action }) => action === 'cancel').map(({ task_id }) => task_id);
    const cancelled = new Set([...answer.cancel, ...stopped]);
    for (const taskId of cancelled) reported.get(taskId)?.onCancel();
    for (const taskId of answer.lost) if (!cancelled.has(taskId)) reported.get(taskId)?.onLost('service');
  }
}
