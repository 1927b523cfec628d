// The filter and the cursor of sorted lists of tasks, as domain and wire have them.
import { id } from '../../../contracts/common.ts';
import { taskStatus, type TaskFilterWire } from '../../../contracts/task.ts';
import type { PlacePage, TaskFilter, TaskPlace, TaskSort } from '../../../domain/ports/tasks/task-lists.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { invalidInput } from '../../pipeline/schema.ts';

/** Ids of one filter. */
const maxIds = 200;

/**
 * @param where the path of the filter in the request, for errors
 * @throws DomainError invalid for an unknown status or a malformed id
 */
export function filterFromWire(wire: TaskFilterWire, where: '/query' | '/filter'): TaskFilter {
  return {
    statuses: listOf(
      wire.status,
      `${where}/status`,
      taskStatus,
      `must be one of ${JSON.stringify(taskStatus.options)}`,
    ),
    ids: idsOf(wire.ids, `${where}/ids`),
    codebaseId: wire.codebase_id,
    workerId: wire.worker_id,
    agentType: wire.agent_type,
    targetAgent: wire.target_agent,
    conversationId: wire.conversation_id,
    createdBy: wire.created_by,
    errorCode: wire.error_code,
    retryOf: wire.retry_of,
    follows: wire.follows,
    text: wire.q,
    createdAfter: wire.created_after,
    createdBefore: wire.created_before,
    endedAfter: wire.ended_after,
    endedBefore: wire.ended_before,
    deadlineBefore: wire.deadline_before,
    silentSince: wire.silent_since,
    paused: wire.paused,
    attemptMin: wire.attempt_min,
    steps: wire.steps,
    stepRunId: wire.ralph_run_id,
  };
}

function idsOf(given: string | string[] | undefined, path: string): string[] | undefined {
  const ids = listOf(given, path, id, 'must have UUIDs in lower case');
  if (ids !== undefined && ids.length > maxIds)
    throw invalidInput([{ path, message: `may have at most ${maxIds} ids` }]);
  return ids;
}

/** The values of a list, repeated or separated by commas, each once. */
function listOf<T>(
  given: string | string[] | undefined,
  path: string,
  schema: { safeParse(value: string): { success: boolean; data?: T | undefined } },
  message: string,
): T[] | undefined {
  if (given === undefined) return undefined;
  const texts = [given].flat().flatMap((text) => text.split(','));
  const values = texts.flatMap((text) => schema.safeParse(text.trim()).data ?? []);
  if (values.length < texts.length) throw invalidInput([{ path, message }]);
  return [...new Set(values)];
}

/** The page of a sorted list. @throws DomainError invalid for a cursor of another list */
export function placePageOf(query: { limit: number; cursor?: string | undefined }, sort: TaskSort): PlacePage {
  const { limit, before } = parsePage(query, sort === 'created' ? 'uuid' : sort);
  if (before === undefined) return { limit, after: undefined };
  if (sort === 'created') return { limit, after: { rank: 0, taskId: before } };
  const dot = before.indexOf('.');
  return { limit, after: { rank: Number(before.slice(1, dot)), taskId: before.slice(dot + 1) } };
}

export function placeCursor(place: TaskPlace | null, sort: TaskSort): string | null {
  if (place === null) return null;
  return encodeCursor(sort === 'created' ? place.taskId : `${sort.slice(0, 1)}${place.rank}.${place.taskId}`);
}
