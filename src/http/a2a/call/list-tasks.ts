// Lists tasks for `tasks/list` and `ListTasks`: translates filters, page tokens and the page of tasks.
import { TaskState, type ListTasksRequest, type ListTasksResponse } from '@a2a-js/sdk';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { StatusCursor, TaskFilter } from '../../../domain/ports/tasks/task-lists.ts';
import type { ViewDeps } from '../../../domain/tasks/read.ts';
import { listTaskDetails } from '../../../domain/tasks/task-details.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { statusFromSdk, taskToSdk, type BuildArtifactUrl } from './sdk-objects.ts';

/** The protocol's default. */
const defaultPageSize = 50;

/**
 * Lists tasks by the time of their status, newest first: a2a v1.0 §3.1.4. A page may be shorter than requested when
 * its artifacts or messages are large. `totalSize` is exact up to 100,000.
 * @throws DomainError invalid for a page token that this service did not issue
 */
export async function listA2aTasks(
  deps: ViewDeps & { readonly addressOf: BuildArtifactUrl },
  caller: Caller,
  request: ListTasksRequest,
): Promise<ListTasksResponse> {
  const pageSize = request.pageSize ?? defaultPageSize;
  const page = { limit: pageSize, after: request.pageToken === '' ? undefined : parsePageToken(request.pageToken) };
  const status = request.status === TaskState.TASK_STATE_UNSPECIFIED ? 'any' : statusFromSdk(request.status);
  if (status === undefined) return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
  const filter: TaskFilter = {
    status: status === 'any' ? undefined : status,
    conversationId: request.contextId === '' ? undefined : request.contextId,
    statusSince: request.statusTimestampAfter,
  };
  const historyLength = request.historyLength ?? 0;
  const include = { messages: historyLength > 0, artifacts: request.includeArtifacts ?? false };
  const { tasks, next, total } = await listTaskDetails(deps, caller, filter, page, include);
  return {
    tasks: tasks.map((details) => taskToSdk(details, historyLength, deps.addressOf)),
    nextPageToken: next === null ? '' : encodePageToken(next),
    pageSize,
    totalSize: total,
  };
}

function encodePageToken({ at, taskId }: StatusCursor): string {
  return Buffer.from(`${at} ${taskId}`, 'utf8').toString('base64url');
}

/** Times of sixteen digits end in the year 2286. */
const pageTokenPattern = /^(\d{1,16}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @throws DomainError invalid for a token that this service did not issue */
function parsePageToken(token: string): StatusCursor {
  const [, at, taskId] = pageTokenPattern.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? [];
  if (at === undefined || taskId === undefined || encodePageToken({ at, taskId }) !== token) {
    throw invalidInput([{ path: '/params/pageToken', message: 'is not a nextPageToken of an earlier answer' }]);
  }
  return { at, taskId };
}
