// One call of the API server: its errors are those of the domain, and what it reads is read within the same guard.
import type { ApiSession } from './client.ts';
import { toApiFailure, toClusterError, type ApiFailure, type CallFacts } from './errors.ts';

/** The context that all calls of a session share. */
export interface ApiContext extends ApiSession {
  readonly namespace: string;
  readonly deadlineMs: number;
}

export type Call = Omit<CallFacts, 'namespace'>;

/** @throws DomainError of the table of errors */
export async function call<T>(context: ApiContext, facts: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toClusterError(error, { ...facts, namespace: context.namespace }, context.deadlineMs);
  }
}

/** Undefined for an object that does not exist. @throws DomainError of the table of errors */
export function find<T>(context: ApiContext, facts: Call, work: () => Promise<T>): Promise<T | undefined> {
  return expecting(context, facts, work, ({ code }) => code === 404);
}

/** Undefined for an answer that the caller expects. @throws DomainError of the table of errors */
export function expecting<T>(
  context: ApiContext,
  facts: Call,
  work: () => Promise<T>,
  isExpected: (failure: ApiFailure) => boolean,
): Promise<T | undefined> {
  return call(context, facts, () =>
    work().catch((error: unknown) => {
      const failure = toApiFailure(error);
      if (failure !== undefined && isExpected(failure)) return undefined;
      throw error;
    }),
  );
}

/** Objects of a page; a server is never asked for all at once. */
export const pageSize = 500;

interface ListedPage<T> {
  readonly items: readonly T[];
  readonly metadata?: { readonly _continue?: string | undefined } | undefined;
}

/**
 * All pages of a list, each object reduced to what is kept of it before the next page is read.
 * @param read one page, after the token of the page before
 */
export async function listAll<T, R>(
  read: (limit: number, after: string | undefined) => Promise<ListedPage<T>>,
  keep: (item: T) => R,
): Promise<R[]> {
  const kept: R[] = [];
  let after: string | undefined;
  do {
    const page = await read(pageSize, after);
    for (const item of page.items) kept.push(keep(item));
    const next = page.metadata?._continue;
    after = next === '' ? undefined : next;
  } while (after !== undefined);
  return kept;
}
