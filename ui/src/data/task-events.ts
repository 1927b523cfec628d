// The events of a task that are no output: what was said, asked, answered and decided.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { Schemas } from '../../../src/client/client.ts';

export type TaskEvent = Schemas['TaskEvent'];

const pageSize = 1_000;
const mostPages = 20;

/** The last events of the log, oldest first; output is left out. */
export function taskEventsQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'events'],
    queryFn: async (): Promise<readonly TaskEvent[]> => {
      const all: TaskEvent[] = [];
      let after = 0;
      for (let pages = 0; pages < mostPages; pages++) {
        const query = { after, limit: pageSize };
        const page = await dataOf(api().GET('/v1/agent/tasks/{id}/events', { params: { path: { id }, query } }));
        if (page.events.length === 0) break;
        all.push(...page.events.filter(({ type }) => type !== 'output'));
        after = page.next;
        if (page.events.length < pageSize) break;
      }
      return all;
    },
  });
}
