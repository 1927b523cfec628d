// The health of the service: its parts, its replicas, its loops.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';

export type ServiceHealth = AnswerOf<'monitor.service_health'>;

const readMs = 10_000;

export function serviceHealthQuery() {
  return queryOptions({
    queryKey: ['service-health'],
    queryFn: async (): Promise<ServiceHealth> => dataOf(api().GET('/v1/monitor/service-health')),
    refetchInterval: readMs,
  });
}
