// Ids of tasks as callers name them.
import { id } from '../../../contracts/common.ts';
import { notFound } from '../../../domain/model/errors.ts';

/** The id itself; one that cannot exist is missing like any other. @throws DomainError not_found */
export function parseTaskId(raw: string): string {
  if (!id.safeParse(raw).success) throw notFound('task');
  return raw;
}
