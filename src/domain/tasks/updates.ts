// The verb updates: changes of status across many tasks, read by a cursor that misses none.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { parsePosition, formatPosition, precedes, type LogPosition } from '../model/task/log-position.ts';
import type { TaskStatus } from '../model/task/task-state.ts';
import type { LogEntry, LogPage, LogRequest } from '../ports/store/log.ts';
import type { Store } from '../ports/store/store.ts';
import { invalidField } from './routing/invalid-field.ts';

export interface TaskUpdate {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The question, the beginning of the result, or the reason for a failure or cancellation. */
  readonly message?: string;
}

export interface UpdatesQuery {
  /** `next` of an earlier answer. */
  readonly since?: string | undefined;
  /** Instead of a cursor: changes at or after this time. */
  readonly sinceTime?: string | undefined;
  /** Only changes of these tasks; tasks that do not exist have no changes. */
  readonly taskIds?: readonly string[] | undefined;
  readonly limit: number;
}

/** In characters. */
const maxMessageLength = 500;
const maxTaskIds = 200;

/**
 * Lists changes of status after a cursor or a time, in the order in which they became final; without either, the
 * newest. A change appears only after all older transactions have ended, so that none can appear behind `next`.
 * @returns `next`: the cursor of the next call, whether there were changes or not
 * @throws DomainError invalid for a malformed cursor, conflict `cursor_unknown` for a cursor of another database
 */
export async function listTaskUpdates(
  deps: { readonly store: Store },
  caller: Caller,
  { since, sinceTime, taskIds, limit }: UpdatesQuery,
): Promise<{ updates: TaskUpdate[]; next: string }> {
  if (taskIds !== undefined && taskIds.length > maxTaskIds)
    throw invalidField('/task_ids', `may name at most ${maxTaskIds}`);
  const request: LogRequest = { what: 'status', taskIds, limit, textLength: maxMessageLength };
  const from = since === undefined ? parseSinceTime(sinceTime) : parseUpdatesCursor(since);
  const page = await deps.store.within(caller, (rows) =>
    from === undefined ? rows.log.latest(request) : rows.log.after(from, request),
  );
  if (from !== undefined && 'xid' in from && precedes(page.end, from)) throw cursorUnknown();
  // The newest page leaves out only older entries: the next page begins at the end of the log either way.
  const isComplete = from === undefined || page.entries.length < limit;
  return {
    updates: page.entries.flatMap(toTaskUpdates),
    next: formatPosition(isComplete ? page.end : lastPositionOf(page)),
  };
}

function lastPositionOf(page: LogPage): LogPosition {
  return page.entries.at(-1)?.position ?? page.end;
}

function parseUpdatesCursor(cursor: string): LogPosition {
  const position = parsePosition(cursor);
  if (position === undefined)
    throw invalidField('/since', 'is not a cursor: it must be the `next` of an earlier answer');
  return position;
}

function parseSinceTime(sinceTime: string | undefined): { time: string } | undefined {
  if (sinceTime === undefined) return undefined;
  if (!(Date.parse(sinceTime) >= 0)) throw invalidField('/since_timestamp', 'must be a time, in 1970 or later');
  return { time: new Date(sinceTime).toISOString() };
}

function cursorUnknown(): DomainError {
  return new DomainError(
    'conflict',
    'cursor_unknown',
    'This cursor does not match the current event log (the database may have been restored). Retry without a cursor.',
  );
}

function toTaskUpdates(entry: LogEntry): TaskUpdate[] {
  if (entry.type !== 'status') return [];
  const { taskId, status, seq, at, text, cut } = entry;
  // The first event's text is the prompt, which the caller wrote itself.
  const message = seq === 1 || text === null || text === '' ? {} : { message: cut ? `${text}…` : text };
  return [{ taskId, status, seq, at, ...message }];
}
