// The events of a task that are no output, read from the end of its log: messages, questions, answers and decisions.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { Schemas } from '../../../../src/client/client.ts';

export type TaskEvent = Schemas['TaskEvent'];

const exchangePage = 50;
const rawEvents = 200;

/** Messages and questions: the last page first, each in the order of the log. */
export function exchangeQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['task', id, 'events', 'exchange'],
    initialPageParam: 0,
    queryFn: async ({ pageParam }): Promise<readonly TaskEvent[]> => {
      const window = pageParam === 0 ? { tail: exchangePage } : { before: pageParam, limit: exchangePage };
      return readEvents(id, { ...window, types: 'message,status' });
    },
    getNextPageParam: (page) => (page.length < exchangePage ? undefined : page[0]?.seq),
  });
}

/** The last events of all types but output. */
export function lastEventsQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'events', 'last'],
    queryFn: () =>
      readEvents(id, { tail: rawEvents, types: 'status,progress,message,artifact,checkpoint,intervention' }),
  });
}

interface EventsQuery {
  readonly tail?: number;
  readonly before?: number;
  readonly limit?: number;
  readonly types: string;
}

async function readEvents(id: string, query: EventsQuery): Promise<readonly TaskEvent[]> {
  return (await dataOf(api().GET('/v1/agent/tasks/{id}/events', { params: { path: { id }, query } }))).events;
}

/** The words of a message: its texts, the names of its files, its data. */
export function messageText({ data: { parts } }: Extract<TaskEvent, { type: 'message' }>): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      return 'file' in part ? `[${part.file.name ?? part.file.uri ?? ''}]` : JSON.stringify(part.data);
    })
    .join('\n');
}
