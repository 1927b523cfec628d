// Checks the scopes of a new key: each must exist in the matrix, and none may exceed its creator. choices-4.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { allPermissions, permissionsOf, type Role } from '../model/access/permission.ts';

/**
 * @param wanted undefined: every permission that the caller has now
 * @param ownerRoles the roles of the key's future owner
 * @throws DomainError invalid for an unknown scope; forbidden (`scopes_too_wide`) for a scope that exceeds the caller's
 * permissions
 */
export function scopesToGrant(
  caller: Caller,
  ownerRoles: readonly Role[],
  wanted: readonly string[] | undefined,
): readonly string[] {
  const held = permissionsOf(caller.roles, caller.scopes);
  const tooWide = (scope: string): boolean => exceeds(scope, caller, held, permissionsOf(ownerRoles));
  if (wanted === undefined) {
    // A star grows with its owner's role. Where the caller may not grant a star, its permissions are listed one by one.
    return caller.scopes !== undefined && !caller.scopes.some(tooWide) ? caller.scopes : [...held];
  }
  assertKnownScopes(wanted);
  const refused = wanted.filter(tooWide);
  if (refused.length === 0) return [...new Set(wanted)];
  throw new DomainError(
    'forbidden',
    'scopes_too_wide',
    `A key cannot have more permissions than the credential that creates it. Remove ${refused.join(', ')}.`,
  );
}

function exceeds(scope: string, caller: Caller, held: ReadonlySet<string>, owned: ReadonlySet<string>): boolean {
  if (!scope.endsWith(':*')) return !held.has(scope);
  const ofResource = (permission: string): boolean => permission.startsWith(scope.slice(0, -1));
  if (![...held].some(ofResource)) return true;
  // A caller whose scopes name each action may not grant a star, which would grow with its owner's role.
  if (caller.scopes !== undefined && !caller.scopes.includes(scope)) return true;
  return [...owned].some((permission) => ofResource(permission) && !held.has(permission));
}

function assertKnownScopes(wanted: readonly string[]): void {
  const known = knownScopes();
  const errors = wanted.flatMap((scope, i) =>
    known.has(scope)
      ? []
      : [{ path: `/scopes/${i}`, message: 'is not a known scope; use resource:action or resource:*' }],
  );
  if (errors.length === 0) return;
  throw new DomainError('invalid', 'invalid_request', 'The request is not valid: some scopes do not exist.', {
    errors,
  });
}

function knownScopes(): ReadonlySet<string> {
  return new Set(allPermissions().flatMap((permission) => [permission, permission.replace(/:.*/, ':*')]));
}
