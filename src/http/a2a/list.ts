// tasks/list: the protocol's filters as ours, a page of tasks as the protocol's.
import { TaskState, type ListTasksRequest, type ListTasksResponse } from '@a2a-js/sdk';
import type { Caller } from '../../domain/model/caller.ts';
import type { TaskFilter } from '../../domain/ports/store.ts';
import type { ViewDeps } from '../../domain/tasks/read.ts';
import { listWhole } from '../../domain/tasks/whole.ts';
import { cursorOf, pageOf } from '../page.ts';
import { statusOf, taskObject } from './objects.ts';

/** Of the protocol. */
const defaultPageSize = 50;

/**
 * Newest first. A page may be shorter than asked for, where artifacts or messages are large.
 * `totalSize` is exact up to 100,000. @throws DomainError invalid for a page token that is none of ours
 */
export async function listTasks(deps: ViewDeps, caller: Caller, request: ListTasksRequest): Promise<ListTasksResponse> {
  const pageSize = request.pageSize ?? defaultPageSize;
  const page = pageOf({ limit: pageSize, cursor: request.pageToken === '' ? undefined : request.pageToken }, 'uuid');
  const status = request.status === TaskState.TASK_STATE_UNSPECIFIED ? 'any' : statusOf(request.status);
  if (status === undefined) return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
  const filter: TaskFilter = {
    status: status === 'any' ? undefined : status,
    conversationId: request.contextId === '' ? undefined : request.contextId,
    updatedAfter: request.statusTimestampAfter,
  };
  const historyLength = request.historyLength ?? 0;
  const wanted = { messages: historyLength > 0, artifacts: request.includeArtifacts ?? false };
  const { tasks, next, total } = await listWhole(deps, caller, filter, page, wanted);
  return {
    tasks: tasks.map((whole) => taskObject(whole, historyLength)),
    nextPageToken: cursorOf(next) ?? '',
    pageSize,
    totalSize: total,
  };
}
