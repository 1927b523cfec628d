// One change of many tasks, over all pages of its answer.
import { api, dataOf } from '../../../api/api.ts';
import type { AnswerOf } from '../../../api/answer-of.ts';
import type { operations } from '../../../../../src/client/api.ts';
import type { TaskFilter } from '../task-list-search.ts';

export type BulkAction = 'cancel' | 'retry' | 'priority';
export type BulkAnswer = AnswerOf<'tasks.bulk'>;
export type BulkTarget = { readonly ids: string[] } | { readonly filter: Omit<TaskFilter, 'sort'> };
type BulkBody = NonNullable<operations['tasks.bulk']['requestBody']>['content']['application/json'];

const mostPages = 50;

/** One call takes some thousand tasks; the rest follows by the cursor of its answer. */
export async function changeInBulk(body: BulkBody, signal?: AbortSignal): Promise<BulkAnswer> {
  let matched = 0;
  const results: BulkAnswer['results'] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; pages < mostPages && cursor !== null; pages++) {
    const page = { ...body, ...(cursor !== undefined && { cursor }) };
    const answer = await dataOf(api().POST('/v1/agent/tasks/bulk', { body: page, signal }));
    matched += answer.matched;
    results.push(...answer.results);
    cursor = answer.next_cursor;
  }
  return { matched, results, next_cursor: cursor ?? null };
}
