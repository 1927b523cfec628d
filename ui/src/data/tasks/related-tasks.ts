// Tasks that came out of a task: its retries and its follow-ups.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';

const mostRelated = 20;

/** Newest first. The key begins with `tasks`, so an action of this page reads it again. */
export function followUpsQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'follows', id],
    queryFn: async () => {
      const query = { follows: id, limit: mostRelated };
      return (await dataOf(api().GET('/v1/agent/tasks', { params: { query } }))).tasks;
    },
  });
}

export function retriesQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'retries', id],
    queryFn: async () => {
      const query = { retry_of: id, limit: mostRelated };
      return (await dataOf(api().GET('/v1/agent/tasks', { params: { query } }))).tasks;
    },
  });
}
