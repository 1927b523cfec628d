// Brings tasks into the slots: by push while the channel stands, by polling while it does not. core-6.3.
import type { AssignmentWire } from '../../contracts/worker.ts';
import { createBackoff } from '../base/backoff.ts';
import { createNotifier } from '../base/notifier.ts';
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import { ChannelSilent, listenToPushChannel } from '../service/push-channel.ts';
import type { PushListener } from '../service/push-channel.ts';
import type { WorkerRegistration } from '../service/registration.ts';
import { describeError, retryAfterMs, ServiceRefusal } from '../base/service-error.ts';
import type { Slots } from './slots.ts';

export interface TaskProducer {
  /** Takes tasks until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** A slot has become free. */
  onSlotFree(): void;
  /** Somebody said that a task may wait for us; it may be anybody, and it may not be true. */
  onHint(): void;
  /** The service says that tasks wait for us: asks for them, if they do not come by themselves meanwhile. */
  onTasksWaiting(): void;
}

export interface TaskProducerOptions {
  client: Pick<WorkerClient, 'claim' | 'openStream' | 'release'>;
  registration: WorkerRegistration;
  slots: Pick<Slots, 'free' | 'leases' | 'take' | 'cancel' | 'deliverIntervention'>;
  /** All slots of the worker. */
  size: number;
  pollIntervalMs: number;
  clock: Clock;
  random: () => number;
  log: WorkerLog;
  /** A push channel that is silent for so long is dead; by default what its heartbeats make of it. */
  silenceMs?: number;
}

/** Of a service that takes no other pace: it beats every 15 s. */
const usualSilenceMs = 40_000;

/**
 * The heartbeats of the channel, and when their absence says that it is dead: a task that the service has put into a dead
 * channel is here within the poll interval and a second, opening the next one included.
 */
function heartbeatPace(pollIntervalMs: number): { heartbeatMs: number; silenceMs: number } {
  const heartbeatMs = Math.min(15_000, Math.max(500, Math.round(pollIntervalMs / 2)));
  return { heartbeatMs, silenceMs: heartbeatMs + Math.min(1000, Math.max(400, pollIntervalMs / 2)) };
}

/**
 * After a silence the next calls may go over a half-open connection of the pool: they are not waited for as for a busy
 * service. Doubles with each channel that does not open, for the service may be a busy one all the same.
 */
const probeTimeoutMs = 700;
const maxProbeTimeoutMs = 15_000;

/** While tasks come by push, the worker still asks now and then, in case a hint was lost on the way. */
const safetyPollMs = 60_000;
/** While it stands, the service fills our slots itself: what a hint asks for gives way to what is on its way already. */
const hintGraceMs = 1000;
/** A channel that takes so long to open (a proxy that holds it back) does not keep us from asking meanwhile. */
const openingPatienceMs = 500;
/** The channel is opened anew for slots it does not know of, but no more often than this. */
const reopenMs = 1000;
/** A channel that stood for so long broke for a reason of its own: the next one is tried without the pause of the last. */
const stableAfterMs = 40_000;
const maxClaimSize = 64;
/** Between two claims that hints asked for; doubles up to the poll interval while they bring nothing. */
const hintGapMs = 100;

export function createTaskProducer(options: TaskProducerOptions): TaskProducer {
  const { client, clock, log, pollIntervalMs, random, registration, size, slots } = options;
  const pace = heartbeatPace(pollIntervalMs);
  const notifier = createNotifier(clock);
  const claimBackoff = createBackoff({ firstMs: Math.min(1000, pollIntervalMs), maxMs: 30_000, random });
  const cursor: { lastEventId?: string } = {};
  const declining = new Set<Promise<void>>();
  /** `opening`: the service is about to count our slots, so no claim may be under way. */
  let channel: 'down' | 'opening' | 'up' = 'down';
  /** The slots that the channel was opened with; it fills them, and the `pushed` leases are what it has put there. */
  let declaredSlots = 0;
  let openedMs = 0;
  let pushed = new Set<string>();
  let reopen = new AbortController();
  /** What to ask for: slots that the channel does not know of, or whatever is free. */
  let claimScope: 'not' | 'spare' | 'all' = 'not';
  let nextClaimMs = 0;
  let claiming: Promise<void> | undefined;
  /** Hints that bring nothing are followed ever less, so that a flood of them costs no more than polling does. */
  let hintGap = hintGapMs;
  let nextHintMs = 0;
  let hintClaimMs = 0;
  /** How long calls may take since the channel fell silent; undefined: something was answered since. */
  let callTimeoutMs: number | undefined;

  function requestClaim(scope: 'spare' | 'all'): void {
    claimScope = claimScope === 'all' ? claimScope : scope;
    notifier.notify();
  }

  /** A slot that was busy when the channel was opened is not the channel's to fill: the service counts what it gave. */
  function spareSlots(): number {
    return size - declaredSlots - slots.leases().filter((lease) => !pushed.has(lease)).length;
  }

  /** The service is about to count our slots. */
  function isOpening(): boolean {
    return channel === 'opening' && clock.monotonicMs() < openedMs + openingPatienceMs;
  }

  function claimSize(): number {
    if (claimScope === 'not') return 0;
    if (isOpening()) return 0;
    const most = channel === 'up' && claimScope === 'spare' ? Math.min(slots.free(), spareSlots()) : slots.free();
    return Math.min(maxClaimSize, most);
  }

  function accept(assignment: AssignmentWire, heldSinceMs: number): void {
    if (slots.take(assignment, heldSinceMs)) return;
    const declined = decline(assignment).finally(() => declining.delete(declined));
    declining.add(declined);
  }

  async function decline({ task, lease_token }: AssignmentWire): Promise<void> {
    log.info({ task: task.id }, 'no free slot; releasing the task');
    const error = { code: 'no_free_slot', message: 'the worker has no free slot' };
    try {
      await client.release(task.id, { lease_token, status: 'pending', error });
    } catch (cause) {
      // Its lease runs out by itself; nothing of it has begun.
      log.warn({ task: task.id, error: describeError(cause) }, 'could not release a task; its lease will expire');
    }
  }

  async function claim(limit: number, signal: AbortSignal): Promise<void> {
    claimScope = 'not';
    nextClaimMs = clock.monotonicMs() + (channel === 'up' ? safetyPollMs : pollIntervalMs);
    try {
      const { workerId, features } = await registration.fresh(signal);
      const sentMs = clock.monotonicMs();
      // What was put into a channel that is down would wait here until its lease runs out.
      const unseen = channel !== 'up' && features.has('claim_unseen') ? { unseen: true as const } : {};
      const tasks = await client.claim({ worker_id: workerId, limit, ...unseen }, signal, callTimeoutMs);
      callTimeoutMs = undefined;
      claimBackoff.reset();
      if (tasks.length > 0) hintGap = hintGapMs;
      for (const assignment of tasks) accept(assignment, sentMs);
      if (tasks.length === limit) requestClaim('spare');
      else if (channel === 'up' && declaredSlots < size) redeclareSlots();
    } catch (error) {
      if (signal.aborted) return;
      log.debug({ error: describeError(error) }, 'claim failed');
      if (isUnknownWorker(error)) registration.invalidate();
      nextClaimMs = clock.monotonicMs() + claimBackoff.nextMs(retryAfterMs(error));
    }
  }

  /** Nothing waits just now: time to let the channel have all the slots that are free. */
  function redeclareSlots(): void {
    if (clock.monotonicMs() >= openedMs + reopenMs) reopen.abort();
    else nextClaimMs = Math.min(nextClaimMs, openedMs + reopenMs);
  }

  async function claimLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const limit = claimSize();
      if (limit > 0) {
        claiming = claim(limit, signal);
        await claiming;
        claiming = undefined;
      } else {
        const dueMs = claimScope !== 'not' && isOpening() ? openedMs + openingPatienceMs : nextClaimMs;
        await notifier.wait(signal, Math.max(0, dueMs - clock.monotonicMs()));
        if (clock.monotonicMs() < nextClaimMs) continue;
        claimScope = channel === 'up' && declaredSlots < size ? 'spare' : 'all';
        nextClaimMs = clock.monotonicMs() + pollIntervalMs;
      }
    }
  }

  const listener: PushListener = {
    up() {
      log.info({ slots: declaredSlots }, 'push channel open');
      channel = 'up';
      callTimeoutMs = undefined;
      // The service fills what we declared: to ask as well would fill it twice.
      claimScope = 'spare';
      nextClaimMs = clock.monotonicMs() + safetyPollMs;
      if (spareSlots() < 0) reopen.abort();
      notifier.notify();
    },
    assigned(assignment) {
      pushed.add(assignment.lease_token);
      accept(assignment, clock.monotonicMs());
    },
    cancel: (taskId) => slots.cancel(taskId),
    intervention: (intervention) => slots.deliverIntervention(intervention),
    tasksWaiting: claimAfterGrace,
  };

  function claimAfterGrace(): void {
    nextClaimMs = Math.min(nextClaimMs, clock.monotonicMs() + hintGraceMs);
    notifier.notify();
  }

  /** One connection, to its end. True when we ended it, to open it with more slots. */
  async function connect(signal: AbortSignal): Promise<boolean> {
    channel = 'opening';
    openedMs = clock.monotonicMs();
    await claiming;
    try {
      const { workerId, features } = await registration.fresh(signal);
      const paced = features.has('stream_heartbeat');
      const silenceMs = options.silenceMs ?? (paced ? pace.silenceMs : usualSilenceMs);
      const requested = {
        ...(paced && { heartbeatMs: pace.heartbeatMs }),
        ...(callTimeoutMs !== undefined && { withinMs: callTimeoutMs }),
      };
      reopen = new AbortController();
      pushed = new Set();
      declaredSlots = slots.free();
      const until = AbortSignal.any([signal, reopen.signal]);
      await listenToPushChannel(
        { client, workerId, slots: declaredSlots, listener, clock, cursor, silenceMs, ...requested },
        until,
      );
    } catch (error) {
      if (!reopen.signal.aborted) throw error;
    } finally {
      channel = 'down';
    }
    return reopen.signal.aborted;
  }

  async function connectLoop(signal: AbortSignal): Promise<void> {
    const backoff = createBackoff({ firstMs: 250, maxMs: 10_000, random });
    while (!signal.aborted) {
      const beganMs = clock.monotonicMs();
      let failure: unknown;
      try {
        if (await connect(signal)) continue;
      } catch (error) {
        if (signal.aborted) return;
        failure = error;
        if (isUnknownWorker(error)) registration.invalidate();
      }
      requestClaim('all');
      const silent = failure instanceof ChannelSilent;
      if (silent) callTimeoutMs = probeTimeoutMs;
      else if (callTimeoutMs !== undefined) callTimeoutMs = Math.min(maxProbeTimeoutMs, callTimeoutMs * 2);
      if (clock.monotonicMs() - beganMs > stableAfterMs) backoff.reset();
      log.info(
        { why: failure === undefined ? 'ended by the service' : describeError(failure) },
        'push channel closed; reconnecting',
      );
      // The silence was pause enough.
      if (!silent) await clock.wait(backoff.nextMs(retryAfterMs(failure)), signal);
    }
  }

  return {
    async run(signal) {
      await Promise.all([connectLoop(signal), claimLoop(signal)]);
      await Promise.all(declining);
    },
    onSlotFree: () => requestClaim(channel === 'up' ? 'spare' : 'all'),
    onTasksWaiting: claimAfterGrace,
    onHint() {
      // The service hears it too, and fills the slots that the channel stands for.
      if (channel === 'up' && spareSlots() <= 0) return;
      const nowMs = clock.monotonicMs();
      // One look is due already: it will see what this hint is about.
      if (nowMs < hintClaimMs) return;
      if (nowMs > nextHintMs + pollIntervalMs) hintGap = hintGapMs;
      hintClaimMs = Math.max(nowMs, nextHintMs);
      nextHintMs = hintClaimMs + hintGap;
      hintGap = Math.min(pollIntervalMs, hintGap * 2);
      nextClaimMs = Math.min(nextClaimMs, hintClaimMs);
      notifier.notify();
    },
  };
}

function isUnknownWorker(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.status === 404;
}
