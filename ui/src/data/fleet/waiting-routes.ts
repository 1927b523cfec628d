// Waiting tasks by route: the same workers may serve all tasks of a route.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';

export type WaitingAnswer = AnswerOf<'monitor.waiting'>;

export function waitingQuery() {
  return queryOptions({
    queryKey: ['waiting'],
    queryFn: async (): Promise<WaitingAnswer> => dataOf(api().GET('/v1/monitor/waiting')),
    refetchInterval: 10_000,
  });
}
