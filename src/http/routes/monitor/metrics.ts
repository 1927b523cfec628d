// Figures for a monitoring system, in the text format of Prometheus.
import { z } from 'zod';
import { readQueueDepth, type QueueDepth } from '../../../domain/insight/queue-depth.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

/** Renders what was measured, with the queue of the tenant that asks. */
export interface MetricsRenderer {
  readonly contentType: string;
  render(depth: QueueDepth): Promise<string>;
}

export function metricsOperations(deps: { readonly store: Store }, figures: MetricsRenderer): Operation[] {
  return [
    operation({
      name: 'monitor.metrics',
      method: 'GET',
      path: '/metrics',
      summary: 'Figures of this replica, and the queue of your tenant, in the text format of Prometheus.',
      permission: 'monitor:read',
      mediaType: 'text/plain',
      answers: { 200: z.string() },
      run: async (caller) => ({
        status: 200,
        headers: { 'content-type': figures.contentType },
        body: await figures.render(await readQueueDepth(deps, caller)),
      }),
    }),
  ];
}
