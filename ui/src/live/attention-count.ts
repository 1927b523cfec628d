// How many questions wait for an answer, for the badge, the title and the tab bar.
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { Schemas } from '../../../src/client/client.ts';
import { useMe } from '../session/use-me.ts';

export type AttentionItem = Schemas['AttentionItem'];

/** Kinds that ask for an answer; the others only want to be seen. */
const asking: readonly AttentionItem['kind'][] = ['task_question', 'run_question', 'approval', 'budget'];

export function isQuestion({ kind }: AttentionItem): boolean {
  return asking.includes(kind);
}

/** All that waits for a person, newest first. */
export function attentionQuery(): {
  queryKey: readonly string[];
  queryFn: () => Promise<readonly AttentionItem[]>;
} {
  return {
    queryKey: ['attention'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/monitor/attention', { params: { query: { limit: 100 } } }))).items,
  };
}

export function useAttentionCount(): number {
  const mayRead = useMe()?.permissions.includes('monitor:read') === true;
  const { data = [] } = useQuery({ ...attentionQuery(), enabled: mayRead });
  return data.filter(isQuestion).length;
}
