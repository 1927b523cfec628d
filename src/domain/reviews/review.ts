// Verbs of the draft of a review: a caller's comments on a task's changes before they are sent.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Store } from '../ports/store/store.ts';
import type { ReviewDraft } from '../ports/task-results.ts';
import { requireTask } from '../tasks/read.ts';

interface Deps {
  readonly store: Store;
}

const maxDraftBytes = 256 * 1024;

/** The caller's own draft; undefined: there is none. @throws DomainError not_found */
export function getReview(deps: Deps, caller: Caller, taskId: string): Promise<ReviewDraft | undefined> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    return rows.reviews.find(taskId, caller.subject);
  });
}

/** Replaces the caller's own draft. @throws DomainError not_found; too_large above 256 KiB */
export async function saveReview(
  deps: Deps,
  caller: Caller,
  taskId: string,
  draft: Pick<ReviewDraft, 'comments' | 'viewed'>,
): Promise<ReviewDraft> {
  if (Buffer.byteLength(JSON.stringify(draft)) > maxDraftBytes) {
    const message = 'A draft may have 256 KiB. Send these comments first, or shorten their quotes.';
    throw new DomainError('too_large', 'review_too_large', message);
  }
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    return rows.reviews.save(taskId, caller.subject, draft);
  });
}
