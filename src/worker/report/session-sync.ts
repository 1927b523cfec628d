// Pushes what is new of the agents' sessions to the service, about every minute. document 1 §2.7 and §8.
import type { ServiceClient } from '../service/client.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Registration } from '../service/registration.ts';
import { describeError, isTransient } from '../base/service-error.ts';
import type { News, SessionJournal } from './session-journal.ts';

export interface SessionSyncOptions {
  client: Pick<ServiceClient, 'syncSessions' | 'syncMessages'>;
  registration: Pick<Registration, 'current'>;
  journal: SessionJournal;
  clock: Clock;
  log: Log;
  intervalMs?: number;
}

/** Pushes until `signal` aborts. What a failed push brought is brought again by the next. */
export async function syncSessionsOn(options: SessionSyncOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await options.clock.wait(options.intervalMs ?? 60_000, signal);
    if (!signal.aborted) await syncSessionsOnce(options, signal);
  }
}

/** One push of everything that is new; a failure is logged and ends it. */
export async function syncSessionsOnce(options: SessionSyncOptions, signal: AbortSignal): Promise<void> {
  const byCodebase = Map.groupBy(options.journal.news(), ({ codebaseId }) => codebaseId);
  for (const [codebaseId, news] of byCodebase) {
    try {
      await push(options, codebaseId, news, signal);
    } catch (error) {
      if (signal.aborted) return;
      options.log.debug({ codebase: codebaseId, error: describeError(error) }, 'sessions not synced');
      // Refused for good (the codebase is gone, the role too small): it would be refused again every minute.
      if (!isTransient(error)) for (const one of news) one.taken();
    }
  }
}

async function push(
  { client, registration }: SessionSyncOptions,
  codebaseId: string,
  news: News[],
  signal: AbortSignal,
): Promise<void> {
  const { workerId } = registration.current();
  const sessions = news.map(({ session }) => session);
  await client.syncSessions(codebaseId, { worker_id: workerId, sessions }, signal);
  for (const one of news) {
    const { session, messages } = one;
    if (messages.length > 0) {
      await client.syncMessages(codebaseId, session.session_id, { worker_id: workerId, messages }, signal);
    }
    one.taken();
  }
}
