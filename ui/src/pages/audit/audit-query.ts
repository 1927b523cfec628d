// The entries of the audit that fit the filters, page by page.
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { operations } from '../../../../src/client/api.ts';
import type { Schemas } from '../../../../src/client/client.ts';
import { api, dataOf } from '../../api/api.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import type { AuditFilter } from './audit-search.ts';

export type AuditEntry = Schemas['AuditEvent'];
export type AuditQueryBody = NonNullable<operations['audit.query']['requestBody']>['content']['application/json'];

const pageSize = 100;

/** The body of `POST /v1/audit/query` for these filters. */
export function queryBodyOf({ from, to, request, task, ...same }: AuditFilter): AuditQueryBody {
  return withoutAbsent({
    ...same,
    from: from === undefined ? undefined : new Date(from).toISOString(),
    to: to === undefined ? undefined : new Date(to).toISOString(),
    request_id: request,
    task_id: task,
  });
}

function withoutAbsent(body: AuditQueryBody): AuditQueryBody {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

export function useAudit(filter: AuditFilter, enabled: boolean): UseInfiniteQueryResult<readonly AuditEntry[]> {
  return useCursorPages(
    ['audit', 'list', filter],
    async (cursor) => {
      const body = { ...queryBodyOf(filter), limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const { events, next_cursor } = await dataOf(api().POST('/v1/audit/query', { body }));
      return { rows: events, next: next_cursor };
    },
    enabled,
  );
}
