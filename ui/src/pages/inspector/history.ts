// The last calls that this tab made with the inspector, and the request that was taken out of them to be edited.
import { useQuery } from '@tanstack/react-query';
import { serviceNow } from '../../api/clock.ts';
import { queryClient } from '../../api/query-client.ts';
import type { RawAnswer } from '../../api/raw-call.ts';
import { createStore, useStore } from '../../store.ts';
import type { CallDraft } from './calls/call-draft.ts';
import type { InspectorPart, InspectorSearch } from './inspector-search.ts';

export interface PastCall {
  readonly id: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly part: InspectorPart;
  readonly search: InspectorSearch;
  readonly label: string;
  readonly draft: CallDraft;
  readonly status: number;
  readonly ms: number;
  /** Absent where it was large. */
  readonly answer: RawAnswer | undefined;
  readonly isPinned: boolean;
}

const keptCalls = 50;
const longestAnswer = 200_000;
// With the answers of the service, so that signing out forgets it too. No other place holds it.
const key = ['inspector-history'] as const;
queryClient.setQueryDefaults(key, { gcTime: Infinity, staleTime: Infinity });

function kept(): readonly PastCall[] {
  return queryClient.getQueryData<readonly PastCall[]>(key) ?? [];
}

function keep(calls: readonly PastCall[]): void {
  queryClient.setQueryData<readonly PastCall[]>(key, calls);
}

/** The calls, newest first, the pinned ones before. */
export function useHistory(): readonly PastCall[] {
  const { data = [] } = useQuery<readonly PastCall[]>({ queryKey: key, queryFn: kept, enabled: false });
  return data.toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned));
}

/** Adds a call; the oldest that is not pinned goes when there are more than 50. */
export function rememberCall(call: Omit<PastCall, 'id' | 'at' | 'isPinned'>): void {
  const { answer } = call;
  const isLarge = answer !== undefined && answer.bytes > longestAnswer;
  const entry = {
    ...call,
    answer: isLarge ? undefined : answer,
    id: crypto.randomUUID(),
    at: new Date(serviceNow()).toISOString(),
    isPinned: false,
  };
  const all = [entry, ...kept()];
  const oldest = all.length > keptCalls ? (all.findLast(({ isPinned }) => !isPinned) ?? all.at(-1)) : undefined;
  keep(all.filter((one) => one !== oldest));
}

export function togglePin(id: string): void {
  keep(kept().map((call) => (call.id === id ? { ...call, isPinned: !call.isPinned } : call)));
}

/** A request that shall be written in place of the first form of its call. */
export interface Reopened {
  readonly key: string;
  readonly part: InspectorPart;
  readonly call: string;
  readonly draft: CallDraft;
  readonly answer: RawAnswer | undefined;
}

const reopened = createStore<Reopened | undefined>(undefined);

export function reopen(request: Omit<Reopened, 'key'>): void {
  reopened.set({ ...request, key: crypto.randomUUID() });
}

/** The request that was reopened for this call, until another one is. */
export function useReopened(part: InspectorPart, call: string): Reopened | undefined {
  const now = useStore(reopened);
  return now?.part === part && now.call === call ? now : undefined;
}
