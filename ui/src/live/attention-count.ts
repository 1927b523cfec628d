// How many questions wait for an answer, for the badge, the title and the tab bar.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/api.ts';
import type { Schemas } from '../../../src/client/client.ts';
import { useMe } from '../session/use-me.ts';
import { number } from '../words/catalogue.ts';

export type AttentionItem = Schemas['AttentionItem'];
type AttentionKind = AttentionItem['kind'];

/** Kinds that ask for an answer; the others only want to be seen. They are listed apart: newer ones must not hide a question. */
export const attentionGroups = {
  asking: ['task_question', 'run_question', 'approval', 'budget'],
  wrong: ['dead_delivery', 'run_failed', 'worker_gone'],
} as const satisfies Readonly<Record<string, readonly AttentionKind[]>>;

export type AttentionGroup = keyof typeof attentionGroups;

export function isQuestion({ kind }: AttentionItem): boolean {
  return attentionGroups.asking.some((asking) => asking === kind);
}

/** More questions than this are shown as "200+". */
const mostCounted = 200;

/** The newest of a group. */
export function attentionQuery(group: AttentionGroup) {
  return queryOptions({
    queryKey: ['attention', 'newest', group],
    queryFn: async (): Promise<readonly AttentionItem[]> => {
      const query = { kinds: attentionGroups[group].join(','), limit: mostCounted };
      return (await dataOf(api().GET('/v1/monitor/attention', { params: { query } }))).items;
    },
  });
}

export interface AttentionCount {
  readonly count: number;
  readonly text: string;
}

export function useAttentionCount(): AttentionCount {
  const mayRead = useMe()?.permissions.includes('monitor:read') === true;
  const { data = [] } = useQuery({ ...attentionQuery('asking'), enabled: mayRead });
  return { count: data.length, text: `${number(data.length)}${data.length < mostCounted ? '' : '+'}` };
}
