// Metrics in the text format of Prometheus.
import { z } from 'zod';
import { readQueueDepth, type QueueDepth } from '../../../domain/insight/queue-depth.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

/** Renders the metrics of this replica and the queue depth of the caller's tenant. */
export interface MetricsRenderer {
  readonly contentType: string;
  render(depth: QueueDepth): Promise<string>;
}

export function metricsOperations(deps: { readonly store: Store }, metrics: MetricsRenderer): Operation[] {
  return [
    operation({
      name: 'monitor.metrics',
      method: 'GET',
      path: '/metrics',
      summary: 'Get metrics in the text format of Prometheus.',
      description: 'Covers this replica and the queue of the caller’s tenant.',
      permission: 'monitor:read',
      mediaType: 'text/plain',
      answers: { 200: z.string() },
      run: async (caller) => ({
        status: 200,
        headers: { 'content-type': metrics.contentType },
        body: await metrics.render(await readQueueDepth(deps, caller)),
      }),
    }),
  ];
}
