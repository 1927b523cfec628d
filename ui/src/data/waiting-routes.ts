// What waits, by route: all tasks of a route may be served by the same workers.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { AnswerOf } from '../api/answer-of.ts';

export type WaitingAnswer = AnswerOf<'monitor.waiting'>;

export function waitingQuery() {
  return queryOptions({
    queryKey: ['waiting'],
    queryFn: async (): Promise<WaitingAnswer> => dataOf(api().GET('/v1/monitor/waiting')),
    refetchInterval: 10_000,
  });
}
