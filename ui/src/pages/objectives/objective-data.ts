// Reads of objectives and their runs.
import { queryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import type { ObjectivesSearch } from './objectives-search.ts';

export type Objective = AnswerOf<'okr.get'>['okr'];
export type KeyResult = Objective['key_results'][number];
export type ObjectiveRun = AnswerOf<'okr.get_run'>['run'];
export type RunItem = ObjectiveRun['items'][number];

const pageSize = 50;
/** Reports come without an event of their own: while a run is open, it is read again this often. */
const openRunMs = 2_000;
const freshMs = 15_000;

export function useObjectives({ status, owner, q }: ObjectivesSearch): UseInfiniteQueryResult<readonly Objective[]> {
  return useCursorPages(['objectives', 'list', status ?? '', owner ?? '', q ?? ''], async (cursor) => {
    const query = { limit: pageSize, cursor, status, owner, q };
    const { okrs, next_cursor } = await dataOf(api().GET('/v1/okr', { params: { query } }));
    return { rows: okrs, next: next_cursor };
  });
}

export const objectiveStatsQuery = queryOptions({
  queryKey: ['objectives', 'stats'],
  queryFn: () => dataOf(api().GET('/v1/okr/stats')),
});

export function objectiveQuery(id: string) {
  return queryOptions({
    queryKey: ['objectives', 'one', id],
    queryFn: async () => (await dataOf(api().GET('/v1/okr/{id}', { params: { path: { id } } }))).okr,
    refetchInterval: ({ state }) => (state.data?.open_run_id == null ? freshMs : openRunMs),
  });
}

/** @param openRunId a change of it is a new list */
export function useObjectiveRuns(
  id: string,
  openRunId: string | null,
): UseInfiniteQueryResult<readonly ObjectiveRun[]> {
  return useCursorPages(['objectives', 'runs', id, openRunId ?? ''], async (cursor) => {
    const params = { path: { id }, query: { limit: pageSize, cursor } };
    const { runs, next_cursor } = await dataOf(api().GET('/v1/okr/{id}/runs', { params }));
    return { rows: runs, next: next_cursor };
  });
}

export function openRunQuery(id: string, runId: string) {
  return queryOptions({
    queryKey: ['objectives', 'open-run', id, runId],
    queryFn: async () => {
      const params = { path: { id, run_id: runId } };
      return (await dataOf(api().GET('/v1/okr/{id}/runs/{run_id}', { params }))).run;
    },
    refetchInterval: openRunMs,
  });
}
