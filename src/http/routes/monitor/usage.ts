// Operations on usage by day or group, and on the history of the queue. ui-6.8.
import type { z } from 'zod';
import * as wire from '../../../contracts/insight/usage.ts';
import { readHistory, readUsage } from '../../../domain/insight/usage.ts';
import type { UsageGroup } from '../../../domain/ports/usage.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';

export function usageOperations(deps: { readonly store: Store; readonly now: () => number }): Operation[] {
  return [
    operation({
      name: 'monitor.usage',
      method: 'GET',
      path: '/v1/monitor/usage',
      summary: 'Get usage of finished tasks by day or group.',
      description: 'A task counts on the day in UTC on which it ended. Usage is kept for 400 days.',
      permission: 'monitor:read',
      query: wire.usageQuery,
      answers: { 200: wire.usageAnswer },
      run: async (caller, { query }) => {
        const groups = await readUsage(deps, caller, query.group_by, query);
        return { status: 200, body: { usage: groups.map(usageToWire) } };
      },
    }),
    operation({
      name: 'monitor.history',
      method: 'GET',
      path: '/v1/monitor/history',
      summary: 'Get the queue over time, in steps.',
      description: 'Samples are taken every five minutes and kept for 90 days.',
      permission: 'monitor:read',
      query: wire.historyQuery,
      answers: { 200: wire.historyAnswer },
      run: async (caller, { query }) => ({
        status: 200,
        body: { points: await readHistory(deps, caller, query, query.step) },
      }),
    }),
  ];
}

function usageToWire(group: UsageGroup): z.input<typeof wire.usageRow> {
  return {
    key: group.key,
    label: group.name ?? group.key ?? 'none',
    tasks: group.tasks,
    completed: group.completed,
    failed: group.failed,
    retried: group.retried,
    first_attempt: group.firstAttempt,
    median_seconds: group.medianSeconds,
    input_tokens: group.inputTokens,
    output_tokens: group.outputTokens,
    cached_tokens: group.cachedTokens,
    cost_usd: group.costUsd,
    unpriced_tasks: group.unpricedTasks,
  };
}
