// Keeps the leases of all runs alive with one heartbeat, and tells a run at once when its lease is gone. choices-5.
import { createBackoff } from '../base/backoff.ts';
import { createNotifier } from '../base/notifier.ts';
import type { SentInterventionWire } from '../../contracts/worker.ts';
import type { WorkerClient } from './client.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import type { WorkerRegistration } from './registration.ts';
import { describeError, retryAfterMs, ServiceRefusal } from '../base/service-error.ts';

/** A lease as its run holds it. */
export interface KeptLease {
  taskId: string;
  leaseToken: string;
  /** Monotonic milliseconds of the latest moment at which the lease cannot have begun yet. */
  heldSinceMs: number;
  /** Gone: by the service's word, or because it ran out here without a renewal. May be called more than once. */
  onLost: (by: 'service' | 'deadline') => void;
  /** A caller cancelled the task. */
  onCancel: () => void;
  /** A person told the task something; it is said again until it is answered. */
  onIntervention: (intervention: SentInterventionWire) => void;
}

export interface LeaseKeeper {
  /** Renews the lease from now on, until the answer is called. */
  keep(lease: KeptLease): () => void;
  /** Beats until `signal` aborts, leases or not: it is also how the service knows that the worker lives. */
  run(signal: AbortSignal): Promise<void>;
}

export interface LeaseKeeperOptions {
  client: Pick<WorkerClient, 'heartbeat'>;
  registration: WorkerRegistration;
  slotsFree: () => number;
  /** The service says that tasks wait for this worker, although it has free slots. */
  onTasksWaiting: () => void;
  clock: Clock;
  random: () => number;
  log: WorkerLog;
}

interface Entry extends KeptLease {
  /** When the lease ends at the earliest: counted from before the call that gave it. */
  endsMs: number;
  /** Its run was told of that end. */
  expiryReported: boolean;
}

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { client, clock, log, registration } = options;
  const entries = new Set<Entry>();
  const backoff = createBackoff({ firstMs: 500, maxMs: 5000, random: options.random });
  const notifier = createNotifier(clock);

  /** The service may be out of reach while its reaper is not: then a run has to end by our own clock. */
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
    // Only what the question named is judged by the answer: a run may end and another begin meanwhile.
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
