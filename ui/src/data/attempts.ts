// The attempts of a task, oldest first.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { AnswerOf } from '../api/answer-of.ts';

export type Attempt = AnswerOf<'tasks.attempts'>['attempts'][number];

export function attemptsQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'attempts'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/agent/tasks/{id}/attempts', { params: { path: { id } } }))).attempts,
  });
}
