// The attempts of a task, oldest first.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';

export type Attempt = AnswerOf<'tasks.attempts'>['attempts'][number] & {
  /** Its place among the claims of the task, from 1, which addresses name: a claim after an answer has the old `attempt`. */
  readonly place: number;
};

export function attemptsQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'attempts'],
    queryFn: async (): Promise<readonly Attempt[]> => {
      const { attempts } = await dataOf(api().GET('/v1/agent/tasks/{id}/attempts', { params: { path: { id } } }));
      return attempts.map((attempt, index) => ({ ...attempt, place: index + 1 }));
    },
  });
}
