// The verb list threads: the conversations of the tenant by latest message, newest first.
import type { Caller } from '../model/access/caller.ts';
import { formatPosition, type LogPosition } from '../model/task/log-position.ts';
import type { LastWord, Thread } from '../ports/store/monitor/threads.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import { parseCursor } from './message-pages.ts';

export interface ListedThread extends Thread {
  readonly lastMessage: Pick<LastWord, 'text' | 'at'>;
}

/** Words that the first and each later statement scans, and statements for one page. */
const scanBounds = { first: 400, later: 5_000, maxQueries: 8 };
/** Tasks of one conversation from which its participants and open tasks are read. */
const taskLimit = 1_000;

/**
 * A page may hold fewer than asked for and still have a `next`: one call scans a bounded number of words.
 * @throws DomainError invalid for a malformed cursor
 */
export async function listThreads(
  deps: { readonly store: Store },
  caller: Caller,
  page: { limit: number; before?: string | undefined },
): Promise<{ threads: ListedThread[]; next: string | null }> {
  const before = parseCursor(page.before);
  return deps.store.within(caller, async (rows) => {
    const { words, next } = await collectLastWords(rows, page.limit, before);
    const described = await rows.threads.describe(
      words.map(({ conversationId }) => conversationId),
      taskLimit,
    );
    const byId = new Map(described.map((thread) => [thread.id, thread]));
    const threads = words.flatMap(({ conversationId, text, at }) => {
      const thread = byId.get(conversationId);
      // Its tasks may have been deleted since.
      return thread === undefined ? [] : [{ ...thread, lastMessage: { text, at } }];
    });
    return { threads, next: next === null ? null : formatPosition(next) };
  });
}

async function collectLastWords(
  rows: Rows,
  limit: number,
  start: LogPosition | undefined,
): Promise<{ words: LastWord[]; next: LogPosition | null }> {
  const byConversation = new Map<string, LastWord>();
  let before = start;
  for (let queries = 0; queries < scanBounds.maxQueries; queries += 1) {
    const scanLimit = queries === 0 ? Math.max(scanBounds.first, limit * 4) : scanBounds.later;
    const found = await rows.threads.lastWords({ limit: limit + 1, before, scanLimit });
    for (const word of found.words) {
      if (byConversation.size < limit) byConversation.set(word.conversationId, word);
      else return { words: [...byConversation.values()], next: [...byConversation.values()].at(-1)?.position ?? null };
    }
    if (found.next === null) return { words: [...byConversation.values()], next: null };
    before = found.next;
  }
  return { words: [...byConversation.values()], next: before ?? null };
}
