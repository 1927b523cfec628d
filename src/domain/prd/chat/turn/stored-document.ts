// The form in which a session stores a document that somebody gives.
import type { PrdDocument } from '../../../model/prd/prd-session.ts';
import { toCamelMembers } from '../../document/member-spelling.ts';
import { requirePrd } from '../../parse-prd.ts';
import { toPrdDocument } from '../../render.ts';

/**
 * An object keeps its members and their order, in camelCase; a text becomes an object.
 * @param prd an object in either spelling, or its text in YAML or JSON
 * @throws DomainError invalid (`invalid_prd`)
 */
export function toStoredDocument(prd: PrdDocument | string): PrdDocument {
  const read = requirePrd(prd);
  return typeof prd === 'string' ? toPrdDocument(read) : toCamelMembers(prd);
}
