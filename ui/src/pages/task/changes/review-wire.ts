// The draft of a review as the service stores it and as this tab keeps it while the service does not have it.
import type { AnswerOf } from '../../../api/answer-of.ts';
import type { ReviewComment } from '../../../parts/diff/changed-file.ts';

type Review = AnswerOf<'tasks.get_review'>['review'];
export type WireComment = Review['comments'][number];

/** The comments and the viewed files of a person. */
export interface ReviewContent {
  readonly comments: readonly ReviewComment[];
  readonly viewed: ReadonlySet<string>;
}

export interface KeptReview extends ReviewContent {
  /** The draft of the service that this one was written on. */
  readonly base: string | null;
}

export function toWire({ path, side, line, endLine, quote, text }: ReviewComment): WireComment {
  return {
    ...(path !== undefined && { path }),
    ...(side !== undefined && { side }),
    ...(line !== undefined && { line }),
    ...(endLine !== undefined && { end_line: endLine }),
    ...(quote !== undefined && { quote }),
    text,
  };
}

export function fromWire({ end_line: endLine, ...comment }: WireComment): ReviewComment {
  return { id: crypto.randomUUID(), ...comment, endLine };
}

/** Both, without what is in both: a comment is kept twice rather than lost. */
export function joinReviews(one: ReviewContent, other: ReviewContent): ReviewContent {
  const known = new Set(one.comments.map(identityOf));
  return {
    comments: [...one.comments, ...other.comments.filter((comment) => !known.has(identityOf(comment)))],
    viewed: new Set([...one.viewed, ...other.viewed]),
  };
}

function identityOf(comment: ReviewComment): string {
  const { path, side, line, end_line: endLine, text } = toWire(comment);
  return JSON.stringify([path, side, line, endLine, text]);
}

const storageKey = (id: string, subject: string): string => `switchyard_review ${subject} ${id}`;

export function keepReview(id: string, subject: string, { comments, viewed, base }: KeptReview): void {
  const kept = { comments: comments.map(toWire), viewed: [...viewed], base };
  try {
    sessionStorage.setItem(storageKey(id, subject), JSON.stringify(kept));
  } catch {
    // The storage of the tab is full: the page itself still has the draft.
  }
}

export function dropKeptReview(id: string, subject: string): void {
  sessionStorage.removeItem(storageKey(id, subject));
}

/** The draft that this tab has and the service may not. */
export function readKeptReview(id: string, subject: string): KeptReview | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(id, subject)) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return undefined;
    const values = new Map<string, unknown>(Object.entries(kept));
    const base = values.get('base');
    return {
      comments: listOf(values.get('comments')).flatMap((value) => commentOf(value) ?? []),
      viewed: new Set(listOf(values.get('viewed')).filter((path) => typeof path === 'string')),
      base: typeof base === 'string' ? base : null,
    };
  } catch {
    return undefined;
  }
}

function commentOf(value: unknown): ReviewComment | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const values = new Map<string, unknown>(Object.entries(value));
  const text = (key: string): string | undefined => {
    const found = values.get(key);
    return typeof found === 'string' ? found : undefined;
  };
  const line = (key: string): number | undefined => {
    const found = values.get(key);
    return typeof found === 'number' ? found : undefined;
  };
  const side = text('side');
  return {
    id: crypto.randomUUID(),
    path: text('path'),
    side: side === 'old' || side === 'new' ? side : undefined,
    line: line('line'),
    endLine: line('end_line'),
    quote: text('quote'),
    text: text('text') ?? '',
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
