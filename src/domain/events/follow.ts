// The verb follow: streams a task's log from a cursor on, stored events first, then new ones, each once and in order.
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

/** An event of the log, or a mark that the cursor cannot be served and everything follows from the start. */
export type FollowedEvent = TaskEvent | { readonly type: 'resync' };

export interface FollowOptions {
  /** The sequence number of the last event that the caller has seen; 0 for all events. */
  readonly after: number;
  /** Ends the stream; it never affects the task. */
  readonly signal: AbortSignal;
  /** Called each time all stored events were yielded: from the first call on, the request is accepted. */
  readonly onCaughtUp?: (() => void) | undefined;
}

const pageSize = 200;
/** Maximum time between polls of the log: hints may be lost. */
const pollMs = 15_000;

/** Follows a task until its last event, or until `signal` aborts. @throws DomainError not_found, unavailable */
export async function* followTask(
  deps: FollowDeps,
  caller: Caller,
  taskId: string,
  { after, signal, onCaughtUp }: FollowOptions,
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
    onCaughtUp?.();
    await subscription.changed(pollMs, signal);
  }
}
