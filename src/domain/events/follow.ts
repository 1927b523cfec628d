// The verb follow: a task's log from a cursor on, first what is there, then what comes, each event once in order.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import { isFinal, type TaskEvent } from '../model/task/task-event.ts';
import { isTerminal } from '../model/task/task-state.ts';
import type { Store } from '../ports/store/store.ts';
import type { TaskSignals } from './task-signals.ts';

export interface FollowDeps {
  readonly store: Store;
  readonly signals: TaskSignals;
}

/** Events of the log, or the word that the cursor cannot be served and all comes from the start. */
export type FollowedEvent = TaskEvent | { readonly type: 'resync' };

const pageSize = 200;
/** Hints may be lost; the log is looked at again after this long at the latest. */
const pollMs = 15_000;

/**
 * Follows a task until its last event. Ends too when `signal` aborts, without touching the task.
 * @param after the sequence number of the last event already seen; 0 from the start
 * @param onCaughtUp called whenever all that is there was told: what could be refused was not
 * @throws DomainError not_found, unavailable
 */
export async function* followTask(
  deps: FollowDeps,
  caller: Caller,
  taskId: string,
  after: number,
  signal: AbortSignal,
  onCaughtUp: () => void,
): AsyncGenerator<FollowedEvent, void, undefined> {
  using subscription = deps.signals.subscribe(caller.tenantId, taskId);
  const task = await deps.store.within(caller, (rows) => rows.tasks.find(taskId));
  if (task === undefined) throw notFound('task');
  let ended = isTerminal(task.status);
  let cursor = after;
  if (after > task.lastSeq) {
    cursor = 0;
    yield { type: 'resync' };
  }
  while (!signal.aborted) {
    const events = await deps.store.within(caller, (rows) => rows.tasks.events(taskId, cursor, pageSize));
    for (const event of events) {
      if (signal.aborted) return;
      yield event;
      cursor = event.seq;
      ended ||= isFinal(event);
    }
    if (events.length === pageSize) continue;
    if (ended) return;
    onCaughtUp();
    await subscription.changed(pollMs, signal);
  }
}

/** A page of the log. @throws DomainError not_found */
export async function readEvents(
  deps: { readonly store: Store },
  caller: Caller,
  taskId: string,
  after: number,
  limit: number,
): Promise<{ events: TaskEvent[]; next: number }> {
  return deps.store.within(caller, async (rows) => {
    if ((await rows.tasks.find(taskId)) === undefined) throw notFound('task');
    const events = await rows.tasks.events(taskId, after, limit);
    return { events, next: events.at(-1)?.seq ?? after };
  });
}
