// May this caller? The local evaluator over the matrix, and the rule of ownership.
import type { Caller } from '../model/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Permission } from '../model/permission.ts';

/** What an operation demands: a permission, one of several, or any valid credential. */
export type Demand = Permission | { readonly anyOf: readonly Permission[] } | 'any_credential';

/** @throws DomainError forbidden, naming the permission that is missing */
export function permit(caller: Caller, demand: Demand): void {
  if (demand === 'any_credential') return;
  const wanted = typeof demand === 'string' ? [demand] : demand.anyOf;
  if (wanted.some((permission) => caller.permissions.has(permission))) return;
  throw new DomainError(
    'forbidden',
    'permission_missing',
    `This credential lacks the permission ${wanted.join(' or ')}.`,
  );
}

/**
 * Write and delete on what another subject owns need `operator` or higher. choices §4.
 * @throws DomainError forbidden
 */
export function permitOwner(caller: Caller, owner: string): void {
  if (caller.subject === owner || caller.roles.some((role) => role === 'admin' || role === 'operator')) return;
  throw new DomainError(
    'forbidden',
    'not_owner',
    'This belongs to somebody else; changing it needs the role operator.',
  );
}
