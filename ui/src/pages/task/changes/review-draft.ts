// The draft of a review: in memory at once, on the service 800 ms after the last change, in this tab until it is there.
import { api, dataOf } from '../../../api/api.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { ReviewComment } from '../../../parts/diff/changed-file.ts';
import { createStore } from '../../../store.ts';
import {
  dropKeptReview,
  fromWire,
  joinReviews,
  keepReview,
  readKeptReview,
  toWire,
  type ReviewContent,
} from './review-wire.ts';

export interface ReviewState extends ReviewContent {
  /** The comment that is being written. */
  readonly draft: ReviewComment | undefined;
  readonly saving: 'saved' | 'waiting' | { readonly error: unknown };
  readonly isLoaded: boolean;
}

const typingMs = 800;
/** Characters, and the bytes that one may take as UTF-8. */
const [longestMarks, mostBytes] = [128 * 1024, 3];
const [firstRetryMs, longestRetryMs] = [2_000, 30_000];

/** One for each task and person; it lives as long as the tab, so that leaving the page loses nothing. */
export class ReviewDraft {
  readonly state = createStore<ReviewState>({
    comments: [],
    viewed: new Set(),
    draft: undefined,
    saving: 'saved',
    isLoaded: false,
  });
  readonly #id: string;
  readonly #subject: string;
  #base: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #retryMs = firstRetryMs;

  constructor(id: string, subject: string) {
    this.#id = id;
    this.#subject = subject;
  }

  /** Reads the draft of the service, unless this tab has a newer one. @throws ApiError, and errors of `fetch` */
  async load(): Promise<void> {
    if (this.state.get().isLoaded && this.state.get().saving !== 'saved') return;
    const { review } = await dataOf(api().GET('/v1/agent/tasks/{id}/review', { params: { path: { id: this.#id } } }));
    const now = this.state.get();
    if (now.isLoaded && (now.saving !== 'saved' || review.updated_at === this.#base)) return;
    const stored: ReviewContent = { comments: review.comments.map(fromWire), viewed: new Set(review.viewed) };
    const kept = readKeptReview(this.#id, this.#subject);
    this.#base = review.updated_at;
    // A comment in the making stays open whatever another device has saved.
    const draft = now.draft;
    if (kept === undefined) {
      this.state.set({ ...now, ...stored, draft, isLoaded: true });
      return;
    }
    const content = kept.base === review.updated_at ? kept : joinReviews(kept, stored);
    this.state.set({ ...now, comments: content.comments, viewed: content.viewed, isLoaded: true });
    this.#changed();
  }

  write(draft: ReviewComment | undefined): void {
    this.#set({ draft });
  }

  save(comment: ReviewComment): void {
    const { comments } = this.state.get();
    const isKnown = comments.some(({ id }) => id === comment.id);
    this.#set({
      comments: isKnown ? comments.map((one) => (one.id === comment.id ? comment : one)) : [...comments, comment],
      draft: undefined,
    });
  }

  drop(id: string): void {
    const { comments, draft } = this.state.get();
    this.#set({
      comments: comments.filter((one) => one.id !== id),
      draft: draft?.id === id ? undefined : draft,
    });
  }

  mark(path: string, isViewed: boolean): void {
    const viewed = new Set(this.state.get().viewed);
    if (isViewed) viewed.add(path);
    else viewed.delete(path);
    this.#set({ viewed });
  }

  /** All comments, the one in the making with what it has so far. */
  comments(): readonly ReviewComment[] {
    const { comments, draft } = this.state.get();
    if (draft === undefined || draft.text.trim() === '') return comments;
    const isKnown = comments.some(({ id }) => id === draft.id);
    return isKnown ? comments.map((one) => (one.id === draft.id ? draft : one)) : [...comments, draft];
  }

  /** Sends the review by `send`; no save may follow it, or the draft would be there again. */
  async sendBy<T>(send: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    await this.#running;
    clearTimeout(this.#timer);
    let sent: T;
    try {
      sent = await send();
    } catch (error) {
      this.#changed();
      throw error;
    }
    this.#base = null;
    dropKeptReview(this.#id, this.#subject);
    this.state.set({ comments: [], viewed: new Set(), draft: undefined, saving: 'saved', isLoaded: true });
    return sent;
  }

  /** For a follow-up without these comments: the service drops the draft with any follow-up, so it is saved again. */
  async keepThrough<T>(send: () => Promise<T>): Promise<T> {
    const sent = await send();
    if (this.comments().length > 0) this.#changed();
    return sent;
  }

  /** Saves now: the connection is back, or a person asks for it. */
  saveNow(): void {
    if (this.state.get().saving !== 'saved') this.#schedule(0);
  }

  #set(change: Partial<ReviewState>): void {
    this.state.set({ ...this.state.get(), ...change });
    this.#changed();
  }

  #changed(): void {
    const { viewed } = this.state.get();
    keepReview(this.#id, this.#subject, { comments: this.comments(), viewed, base: this.#base });
    this.state.set({ ...this.state.get(), saving: 'waiting' });
    this.#retryMs = firstRetryMs;
    this.#schedule(typingMs);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#running ??= this.#store().finally(() => {
        this.#running = undefined;
      });
    }, ms);
  }

  /** Saves until the service has what is here, or refuses it. */
  async #store(): Promise<void> {
    let comments = this.comments();
    let { viewed } = this.state.get();
    try {
      // The draft of the service must be read before it is replaced.
      if (!this.state.get().isLoaded) await this.load();
      comments = this.comments();
      ({ viewed } = this.state.get());
      const body = { comments: comments.map(toWire), viewed: fitting(viewed) };
      const params = { path: { id: this.#id } };
      const { review } = await dataOf(api().PUT('/v1/agent/tasks/{id}/review', { params, body }));
      this.#base = review.updated_at;
    } catch (error) {
      this.state.set({ ...this.state.get(), saving: { error } });
      if (!(error instanceof ApiError) || error.status === 401 || error.status === 429 || error.status >= 500) {
        this.#schedule(this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs);
      }
      return;
    }
    const isCurrent =
      viewed === this.state.get().viewed && JSON.stringify(this.comments()) === JSON.stringify(comments);
    if (!isCurrent) {
      this.#schedule(typingMs);
      return;
    }
    dropKeptReview(this.#id, this.#subject);
    this.state.set({ ...this.state.get(), saving: 'saved' });
  }
}

/** The service stores drafts of 256 KiB: marks leave the half of it to the comments, the last ones are stored. */
function fitting(viewed: ReadonlySet<string>): string[] {
  const fit: string[] = [];
  let left = longestMarks;
  for (const path of [...viewed].toReversed()) {
    left -= path.length * mostBytes;
    if (left < 0) break;
    fit.push(path);
  }
  return fit.toReversed();
}

const drafts = new Map<string, ReviewDraft>();

export function reviewDraft(id: string, subject: string): ReviewDraft {
  const key = `${subject} ${id}`;
  const draft = drafts.get(key) ?? new ReviewDraft(id, subject);
  drafts.set(key, draft);
  return draft;
}
