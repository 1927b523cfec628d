// The attempts of a task, oldest first.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { Schemas } from '../../../src/client/client.ts';

export type Attempt = Schemas['Attempt'];

export function attemptsQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'attempts'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/agent/tasks/{id}/attempts', { params: { path: { id } } }))).attempts,
  });
}
