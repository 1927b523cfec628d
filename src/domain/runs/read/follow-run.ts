// The verb follow of runs: streams a run's events from a number on, stored ones first, then new ones, each once. runs-6.2.
import type { Caller } from '../../model/access/caller.ts';
import type { RunEvent } from '../../model/run/run.ts';
import { isRunOver } from '../../model/run/run-state.ts';
import type { Store } from '../../ports/store/store.ts';
import type { TaskSignals } from '../../events/task-signals.ts';
import { requireRun } from './require-run.ts';

export interface FollowRunDeps {
  readonly store: Store;
  readonly signals: TaskSignals;
}

/** An event, or a mark that the cursor cannot be served and everything follows from the start. */
export type FollowedRunEvent = RunEvent | { readonly type: 'resync' };

const pageSize = 200;
/** Maximum time between polls: hints may be lost. */
const pollMs = 5_000;

export interface FollowRunOptions {
  readonly runId: string;
  /** The number of the last event that the caller has seen; 0 for all events. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** Called each time all stored events were yielded: from the first call on, the request is accepted. */
  readonly onCaughtUp: () => void;
}

/**
 * Follows a run until its last event, or until `signal` aborts; aborting never affects the run.
 * @throws DomainError not_found, unavailable
 */
export async function* followRun(
  deps: FollowRunDeps,
  caller: Caller,
  { runId, after, signal, onCaughtUp }: FollowRunOptions,
): AsyncGenerator<FollowedRunEvent, void, undefined> {
  using subscription = deps.signals.subscribe(caller.tenantId, runId);
  let cursor = after;
  const { lastSeq } = await deps.store.within(caller, (rows) => requireRun(rows, runId));
  if (after > lastSeq) {
    cursor = 0;
    yield { type: 'resync' };
  }
  while (!signal.aborted) {
    const { events, isOver } = await deps.store.within(caller, async (rows) => {
      // The status is read first: what follows the end of a run is then among the events.
      const run = await requireRun(rows, runId);
      const from = cursor;
      return { isOver: isRunOver(run.status), events: await rows.runRecords.events(runId, from, pageSize) };
    });
    for (const event of events) {
      if (signal.aborted) return;
      yield event;
      cursor = event.seq;
    }
    if (events.length === pageSize) continue;
    if (isOver) return;
    onCaughtUp();
    await subscription.changed(pollMs, signal);
  }
}

/** A page of the events. @throws DomainError not_found */
export function readRunEvents(
  deps: { readonly store: Store },
  caller: Caller,
  runId: string,
  after: number,
  limit: number,
): Promise<{ events: RunEvent[]; next: number }> {
  return deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    const events = await rows.runRecords.events(runId, after, limit);
    return { events, next: events.at(-1)?.seq ?? after };
  });
}
