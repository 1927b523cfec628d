// Short lists of tasks beside other things: those of a worker, of a codebase, of a conversation.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { operations } from '../../../../src/client/api.ts';

type Filter = NonNullable<operations['tasks.list']['parameters']['query']>;

const readMs = 10_000;

/** The key begins with `tasks`, so an action of this page reads it again; what others do is seen within ten seconds. */
export function taskListQuery(filter: Filter & { readonly limit: number }) {
  return queryOptions({
    queryKey: ['tasks', 'short', filter],
    queryFn: async () => (await dataOf(api().GET('/v1/agent/tasks', { params: { query: filter } }))).tasks,
    refetchInterval: readMs,
  });
}
