// Items that wait for a person, in pages, and the calls that end the wait of those that ask nothing.
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { api, dataOf, succeed } from '../api/api.ts';
import { queryClient } from '../api/query-client.ts';
import { attentionGroups, type AttentionGroup, type AttentionItem } from '../live/attention-count.ts';
import { requireOnline } from './tasks/task-actions.ts';

interface AttentionPage {
  readonly items: readonly AttentionItem[];
  readonly next_cursor: string | null;
}

const pageSize = 100;

export type AttentionPages = UseInfiniteQueryResult<InfiniteData<AttentionPage>>;

/** A group of what waits for a person, newest first, in pages. @param mayRead false: nothing is asked */
export function useAttention(group: AttentionGroup, mayRead: boolean): AttentionPages {
  return useInfiniteQuery({
    // Under the key of the badge: one frame of the stream reads both again.
    queryKey: ['attention', 'pages', group],
    queryFn: async ({ pageParam }): Promise<AttentionPage> => {
      const kinds = attentionGroups[group].join(',');
      const query = { kinds, limit: pageSize, ...(pageParam !== '' && { cursor: pageParam }) };
      return dataOf(api().GET('/v1/monitor/attention', { params: { query } }));
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: mayRead,
  });
}

export function itemsOf(data: InfiniteData<AttentionPage> | undefined): readonly AttentionItem[] {
  return data?.pages.flatMap((page) => page.items) ?? [];
}

async function refreshAttention(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['attention'] });
}

export async function dismissItem(id: string): Promise<void> {
  requireOnline();
  await succeed(api().POST('/v1/monitor/attention/{id}/dismiss', { params: { path: { id } } }));
  await refreshAttention();
}

/** Sends a dead delivery again. */
export async function sendItemAgain({ id, about }: AttentionItem): Promise<void> {
  requireOnline();
  const path = { id: about?.id ?? '', delivery_id: id };
  await succeed(
    about?.kind === 'run'
      ? api().POST('/v1/ralph/runs/{id}/deliveries/{delivery_id}/redeliver', { params: { path } })
      : api().POST('/v1/automation/tasks/{id}/deliveries/{delivery_id}/redeliver', { params: { path } }),
  );
  await refreshAttention();
}

/** @returns the id of the new run */
export async function retryFailedRun(id: string, key: string): Promise<string> {
  requireOnline();
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  const { run } = await dataOf(api().POST('/v1/ralph/runs/{id}/retry', { params, body: {} }));
  await refreshAttention();
  return run.run_id;
}
