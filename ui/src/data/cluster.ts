// The Kubernetes Deployment that the service runs as, and its pods.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { AnswerOf } from '../api/answer-of.ts';

export type ClusterStatus = AnswerOf<'k8s.status'>;

const readMs = 10_000;

export function clusterQuery() {
  return queryOptions({
    queryKey: ['cluster'],
    queryFn: async (): Promise<ClusterStatus> => dataOf(api().GET('/v1/k8s/status')),
    refetchInterval: readMs,
  });
}
