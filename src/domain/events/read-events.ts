// The verb read events: a window of a task's log, from its start or from its end, of all types or of some.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { TaskEvent, TaskEventType } from '../model/task/task-event.ts';
import type { Store } from '../ports/store/store.ts';

export interface EventRequest {
  /** After or before a sequence number, or the last ones. */
  readonly window: { readonly after: number } | { readonly before: number } | 'tail';
  /** Undefined: all. */
  readonly types: readonly TaskEventType[] | undefined;
  readonly limit: number;
}

/**
 * Events in order. `next` is the number after which later events follow.
 * @throws DomainError not_found
 */
export async function readEvents(
  deps: { readonly store: Store },
  caller: Caller,
  taskId: string,
  { window, types, limit }: EventRequest,
): Promise<{ events: TaskEvent[]; next: number }> {
  const after = typeof window === 'object' && 'after' in window ? window.after : undefined;
  const before = typeof window === 'object' && 'before' in window ? window.before : undefined;
  return deps.store.within(caller, async (rows) => {
    if ((await rows.tasks.find(taskId)) === undefined) throw notFound('task');
    const events =
      after === undefined
        ? await rows.tasks.eventsBefore(taskId, before, limit, types)
        : await rows.tasks.events(taskId, after, limit, types);
    return { events, next: events.at(-1)?.seq ?? after ?? 0 };
  });
}
