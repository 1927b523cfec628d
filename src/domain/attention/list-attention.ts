// The verb list attention: what waits for a person in the tenant, each once.
import { cutPage } from '../access/cut-page.ts';
import type { Caller } from '../model/access/caller.ts';
import type { AttentionItem, AttentionKind } from '../model/attention.ts';
import type { AttentionPosition } from '../ports/store/monitor/attention.ts';
import type { Store } from '../ports/store/store.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';

/** Items without a question expire after this many days. */
export const forgetDays = 7;

/**
 * Newest first.
 * @param page.before `next` of an earlier answer
 * @param page.kinds those alone; undefined: all
 * @throws DomainError invalid for a malformed cursor
 */
export async function listAttention(
  deps: { readonly store: Store },
  caller: Caller,
  page: {
    readonly limit: number;
    readonly before: string | undefined;
    readonly kinds?: readonly AttentionKind[] | undefined;
  },
): Promise<{ items: readonly AttentionItem[]; next: string | null }> {
  const { limit, before, kinds } = page;
  const position = before === undefined ? undefined : parseAttentionCursor(before);
  const found = await deps.store.within(caller, (rows) =>
    rows.attention.list({ limit: limit + 1, before: position, forgetDays, kinds }),
  );
  return cutPage(found, limit, ({ position: { askedAt, id } }) => `${askedAt} ${id}`);
}

function parseAttentionCursor(text: string): AttentionPosition {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (.{1,200})$/s.exec(text);
  const [, askedAt = '', id = ''] = match ?? [];
  if (Number.isNaN(Date.parse(askedAt))) throw invalidField('/query/cursor', 'is not a cursor of an earlier answer');
  return { askedAt, id };
}
