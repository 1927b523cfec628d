// Keeps decisions that are for people away from programs. choices-4.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import type { Role } from '../model/access/permission.ts';

/** Service accounts of workers, whose agents act by them. */
const programRoles: readonly Role[] = ['agent'];

/** False for a caller that holds the role of a program, whatever else it holds. */
export function isPerson({ roles }: Pick<Caller, 'roles'>): boolean {
  return !roles.some((role) => programRoles.includes(role));
}

/** @throws DomainError forbidden (`needs_person`) */
export function requirePerson(caller: Pick<Caller, 'roles'>): void {
  if (isPerson(caller)) return;
  throw new DomainError(
    'forbidden',
    'needs_person',
    'Only a person may do this, and this credential belongs to a program. Use a credential without the role agent.',
  );
}
