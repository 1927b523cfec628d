// Pushes changes of the agents' sessions to the service, about every minute. core-2.7 and core-8.
import type { WorkerClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import type { WorkerRegistration } from '../service/registration.ts';
import { describeError, isTransientError } from '../base/service-error.ts';
import type { UnsyncedSession, SessionStore } from './session-store.ts';

export interface SessionSyncOptions {
  readonly client: Pick<WorkerClient, 'syncSessions' | 'syncMessages'>;
  readonly registration: Pick<WorkerRegistration, 'current'>;
  readonly sessionStore: SessionStore;
  readonly clock: Clock;
  readonly log: WorkerLog;
  readonly intervalMs: number;
}

/** Pushes until `signal` aborts. The next push repeats what a failed one could not deliver. */
export async function runSessionSync(options: SessionSyncOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await options.clock.wait(options.intervalMs, signal);
    if (!signal.aborted) await syncSessionsOnce(options, signal);
  }
}

/** One push of all changes; a failure is logged and ends the push of its codebase. */
export async function syncSessionsOnce(options: SessionSyncOptions, signal: AbortSignal): Promise<void> {
  const byCodebase = Map.groupBy(options.sessionStore.unsynced(), ({ codebaseId }) => codebaseId);
  for (const [codebaseId, unsynced] of byCodebase) {
    try {
      await pushSessions(options, codebaseId, unsynced, signal);
    } catch (error) {
      if (signal.aborted) return;
      options.log.debug({ codebase: codebaseId, error: describeError(error) }, 'could not sync sessions; will retry');
      // A permanent refusal (the codebase is gone, the role lacks a permission) would be repeated every minute.
      if (!isTransientError(error)) for (const one of unsynced) one.markSynced();
    }
  }
}

async function pushSessions(
  { client, registration }: SessionSyncOptions,
  codebaseId: string,
  unsynced: UnsyncedSession[],
  signal: AbortSignal,
): Promise<void> {
  const { workerId } = registration.current();
  const sessions = unsynced.map(({ session }) => session);
  await client.syncSessions(codebaseId, { worker_id: workerId, sessions }, signal);
  for (const one of unsynced) {
    const { session, messages } = one;
    if (messages.length > 0) {
      await client.syncMessages(codebaseId, session.session_id, { worker_id: workerId, messages }, signal);
    }
    one.markSynced();
  }
}
