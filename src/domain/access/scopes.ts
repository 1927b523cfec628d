// The scopes of a key that is to be made: known to the matrix, and never wider than who makes it. choices-4.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { allPermissions, permissionsOf, type Role } from '../model/access/permission.ts';

/**
 * @param wanted undefined: all that the caller may, as it stands now
 * @param ownerRoles of whom the key will belong to
 * @throws DomainError invalid for a scope that the matrix does not know; forbidden (`scopes_too_wide`) for one that
 * would let the key do what the caller may not
 */
export function scopesToGrant(
  caller: Caller,
  ownerRoles: readonly Role[],
  wanted: readonly string[] | undefined,
): readonly string[] {
  const held = permissionsOf(caller.roles, caller.scopes);
  const tooWide = (scope: string): boolean => exceeds(scope, caller, held, permissionsOf(ownerRoles));
  if (wanted === undefined) {
    // A star follows what its owner may; what may not be handed on as a star is written out.
    return caller.scopes !== undefined && !caller.scopes.some(tooWide) ? caller.scopes : [...held];
  }
  assertKnownScopes(wanted);
  const refused = wanted.filter(tooWide);
  if (refused.length === 0) return [...new Set(wanted)];
  throw new DomainError(
    'forbidden',
    'scopes_too_wide',
    `A key may do no more than the credential that makes it; this one cannot give ${refused.join(', ')}.`,
  );
}

function exceeds(scope: string, caller: Caller, held: ReadonlySet<string>, owned: ReadonlySet<string>): boolean {
  if (!scope.endsWith(':*')) return !held.has(scope);
  const ofResource = (permission: string): boolean => permission.startsWith(scope.slice(0, -1));
  if (![...held].some(ofResource)) return true;
  // Whose own scopes name every action one by one may not give a star, which would grow with its owner's role.
  if (caller.scopes !== undefined && !caller.scopes.includes(scope)) return true;
  return [...owned].some((permission) => ofResource(permission) && !held.has(permission));
}

function assertKnownScopes(wanted: readonly string[]): void {
  const known = knownScopes();
  const errors = wanted.flatMap((scope, i) =>
    known.has(scope) ? [] : [{ path: `/scopes/${i}`, message: 'is no scope: write resource:action or resource:*' }],
  );
  if (errors.length === 0) return;
  throw new DomainError('invalid', 'invalid_request', 'The request is not valid: there are no such scopes.', {
    errors,
  });
}

function knownScopes(): ReadonlySet<string> {
  return new Set(allPermissions().flatMap((permission) => [permission, permission.replace(/:.*/, ':*')]));
}
