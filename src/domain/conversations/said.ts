// Reads what was said, page by page out of the log, for the verbs of conversations.
import { parsePosition, type LogPosition } from '../model/task/log-position.ts';
import type { MessageFilter, SaidMessage } from '../ports/store/log.ts';
import type { Rows } from '../ports/store/store.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';

/** Events that one statement looks at, and statements for one page: a rare word is searched for in several calls. */
const looks = { plain: 400, words: 5_000, most: 10 };

/** Newest first; a page that is not full may have a `next`, where one call has looked at enough. */
export async function gatherSaid(
  rows: Rows,
  filter: MessageFilter,
  page: { limit: number; before: LogPosition | undefined },
): Promise<{ messages: SaidMessage[]; next: LogPosition | null }> {
  const lookAt = filter.text === undefined ? Math.max(looks.plain, page.limit * 4) : looks.words;
  const messages: SaidMessage[] = [];
  let { before } = page;
  for (let looked = 0; looked < looks.most; looked += 1) {
    const found = await rows.messages.search(filter, { limit: page.limit - messages.length, before, lookAt });
    messages.push(...found.messages);
    if (found.next === null || messages.length === page.limit) return { messages, next: found.next };
    before = found.next;
  }
  return { messages, next: before ?? null };
}

/** @throws DomainError invalid for a cursor that is none of ours */
export function placeOf(cursor: string | undefined): LogPosition | undefined {
  if (cursor === undefined) return undefined;
  const place = parsePosition(cursor);
  if (place === undefined) throw invalidField('/query/cursor', 'is not a cursor that a list answered');
  return place;
}
