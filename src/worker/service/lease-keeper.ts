// Renews the leases of all attempts with one heartbeat, and notifies an attempt at once when its lease is lost.
// choices-5.
import { createBackoff } from '../base/backoff.ts';
import { createNotifier } from '../base/notifier.ts';
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
  /** Lost: the service said so, or it expired here without a renewal. May be called more than once. */
  readonly onLost: (by: 'service' | 'deadline') => void;
  /** Called when a caller cancelled the task. */
  readonly onCancel: () => void;
  /** Called for an intervention of a person, again and again until it is answered. */
  readonly onIntervention: (intervention: SentInterventionWire) => void;
}

export interface LeaseKeeper {
  /** Renews the lease from now on. @returns a function that stops it */
  keep(lease: KeptLease): () => void;
  /**
   * Sends heartbeats until `signal` aborts, with or without leases: the service also learns from them that the worker
   * is alive.
   */
  run(signal: AbortSignal): Promise<void>;
}

export interface LeaseKeeperOptions {
  readonly client: Pick<WorkerClient, 'heartbeat'>;
  readonly registration: WorkerRegistration;
  readonly slotsFree: () => number;
  /** Called when the service reports waiting tasks although this worker has free slots. */
  readonly onTasksWaiting: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
}

interface Entry extends KeptLease {
  /** When the lease ends at the earliest: counted from before the call that granted it. */
  readonly endsMs: number;
  /** Whether the attempt was notified of that end. */
  expiryReported: boolean;
}

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { client, clock, log, registration } = options;
  const entries = new Set<Entry>();
  const backoff = createBackoff({ firstMs: 500, maxMs: 5000, random: options.random });
  const notifier = createNotifier(clock);

  /** The service may be unreachable while its reaper is not, so an attempt has to end by the worker's own clock. */
  async function watchDeadlines(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const nowMs = clock.monotonicMs();
      const waiting = [...entries].filter(({ expiryReported }) => !expiryReported);
      for (const entry of waiting.filter(({ endsMs }) => endsMs <= nowMs)) {
        entry.expiryReported = true;
        entry.onLost('deadline');
      }
      const nextMs = Math.min(...waiting.filter(({ expiryReported }) => !expiryReported).map(({ endsMs }) => endsMs));
      await notifier.wait(signal, Number.isFinite(nextMs) ? nextMs - nowMs : undefined);
    }
  }

  async function sendHeartbeat(signal: AbortSignal): Promise<void> {
    const { workerId, leaseMs } = await registration.fresh(signal);
    const sentMs = clock.monotonicMs();
    // The answer is compared with the leases of the request only: attempts may end and begin meanwhile.
    const reported = new Map([...entries].map((entry) => [entry.taskId, entry]));
    const running = [...reported.values()].map(({ taskId, leaseToken }) => ({
      task_id: taskId,
      lease_token: leaseToken,
    }));
    const answer = await client.heartbeat(workerId, { running, slots_free: options.slotsFree() }, signal);
    if (answer.tasks_waiting) options.onTasksWaiting();
    for (const { task_id } of answer.renewed) {
      const entry = reported.get(task_id);
      if (entry !== undefined) Object.assign(entry, { endsMs: sentMs + leaseMs, expiryReported: false });
    }
    for (const intervention of answer.interventions) reported.get(intervention.task_id)?.onIntervention(intervention);
    const stopped = answer.interventions.filter(({ action }) => action === 'cancel').map(({ task_id }) => task_id);
    const cancelled = new Set([...answer.cancel, ...stopped]);
    for (const taskId of cancelled) reported.get(taskId)?.onCancel();
    for (const taskId of answer.lost) if (!cancelled.has(taskId)) reported.get(taskId)?.onLost('service');
  }

  async function heartbeatLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await sendHeartbeat(signal);
        backoff.reset();
        await clock.wait(registration.current().heartbeatMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ error: describeError(error) }, 'heartbeat failed');
        if (error instanceof ServiceRefusal && error.status === 404) registration.invalidate();
        await clock.wait(backoff.nextMs(retryAfterMs(error)), signal);
      }
    }
  }

  return {
    keep(lease) {
      const entry = { ...lease, endsMs: lease.heldSinceMs + registration.current().leaseMs, expiryReported: false };
      entries.add(entry);
      notifier.notify();
      return () => {
        entries.delete(entry);
      };
    },
    async run(signal) {
      await Promise.all([heartbeatLoop(signal), watchDeadlines(signal)]);
    },
  };
}
