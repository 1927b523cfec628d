// The background loops of the service, with the last error of each.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';

export type LoopStatus = AnswerOf<'cognition.status'>['loops'][number];

const readMs = 10_000;

export function loopsQuery() {
  return queryOptions({
    queryKey: ['loops'],
    queryFn: async (): Promise<readonly LoopStatus[]> => (await dataOf(api().GET('/v1/cognition/status'))).loops,
    refetchInterval: readMs,
  });
}
