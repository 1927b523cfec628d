// The files that a task changed, and the patches of them.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import type { AnswerOf } from '../../api/answer-of.ts';

export type FileChange = AnswerOf<'tasks.changes'>['files'][number];

/** The files in the order of the diff. @param runId of one attempt; of the newest diff without it */
export function changesQuery(id: string, runId: string | undefined) {
  const params = { path: { id }, query: { ...(runId !== undefined && { run_id: runId }) } };
  return queryOptions({
    queryKey: ['task', id, 'changes', runId ?? 'newest'],
    queryFn: async () => (await dataOf(api().GET('/v1/agent/tasks/{id}/changes', { params }))).files,
  });
}

/** The patch of one file. It is kept by the hash of its hunks. @throws ApiError not_found for a path that is not in the diff */
export function readPatch(
  id: string,
  runId: string | undefined,
  { path, hash }: Pick<FileChange, 'path' | 'hash'>,
): Promise<string> {
  const params = { path: { id }, query: { path, ...(runId !== undefined && { run_id: runId }) } };
  return queryClient.fetchQuery({
    queryKey: ['patch', id, runId ?? 'newest', path, hash],
    queryFn: ({ signal }) =>
      dataOf(api().GET('/v1/agent/tasks/{id}/changes/file', { params, parseAs: 'text', signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
