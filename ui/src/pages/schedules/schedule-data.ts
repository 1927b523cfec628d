// Reads of schedules, their runs and their next times.
import { queryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import type { ScheduleSearch, SchedulesSearch } from './schedules-search.ts';

export type Schedule = AnswerOf<'cronjobs.get'>['cronjob'];
export type ScheduleRun = AnswerOf<'cronjobs.runs'>['runs'][number];
export type NextTimes = AnswerOf<'cronjobs.validate'>;

const pageSize = 50;
/** Due times come without an event: what is shown is read again this often. */
const freshMs = 10_000;

export function useSchedules(
  { state, q }: SchedulesSearch,
  enabled: boolean,
): UseInfiniteQueryResult<readonly Schedule[]> {
  return useCursorPages(
    ['schedules', 'list', state ?? '', q ?? ''],
    async (cursor) => {
      const query = { limit: pageSize, cursor, q, enabled: state === undefined ? undefined : state === 'on' };
      const { cronjobs, next_cursor } = await dataOf(api().GET('/v1/cronjobs', { params: { query } }));
      return { rows: cronjobs, next: next_cursor };
    },
    enabled,
  );
}

export function scheduleQuery(id: string) {
  return queryOptions({
    queryKey: ['schedules', 'one', id],
    queryFn: async () => (await dataOf(api().GET('/v1/cronjobs/{id}', { params: { path: { id } } }))).cronjob,
    refetchInterval: freshMs,
  });
}

export function useScheduleRuns(
  id: string,
  status: ScheduleSearch['status'],
): UseInfiniteQueryResult<readonly ScheduleRun[]> {
  return useCursorPages(['schedules', 'runs', id, status ?? ''], async (cursor) => {
    const params = { path: { id }, query: { limit: pageSize, cursor, status } };
    const { runs, next_cursor } = await dataOf(api().GET('/v1/cronjobs/{id}/runs', { params }));
    return { rows: runs, next: next_cursor };
  });
}

/** @param from due times after it; now without it */
export function nextTimesQuery(cron: string, timezone: string, from: string | undefined) {
  return queryOptions({
    queryKey: ['schedules', 'next', cron, timezone, from ?? ''],
    queryFn: async () => dataOf(api().POST('/v1/cronjobs/validate', { body: { cron, timezone, from } })),
    retry: false,
  });
}
