// Ids of entities in params, tool arguments and resource URIs, as callers write them.
import { codebaseId } from '../../contracts/codebase.ts';
import { id } from '../../contracts/common.ts';
import { notFound } from '../../domain/model/errors.ts';

const schemas = { task: id, worker: id, run: id, codebase: codebaseId } as const;

/** The id itself. A malformed id is reported as missing, like an unknown one. @throws DomainError not_found */
export function parseEntityId(kind: keyof typeof schemas, raw: string): string {
  if (!schemas[kind].safeParse(raw).success) throw notFound(kind);
  return raw;
}
