// Finds the owner of a key or a session, and the owner's current roles, in the configuration or the users row.
import { createHmac } from 'node:crypto';
import type { Role } from '../../model/access/permission.ts';
import { configuredSubject, isReservedSubject } from '../../model/access/user.ts';
import type { OwnerRecord } from '../../ports/store/credentials.ts';
import type { ConfiguredToken } from './configured-tokens.ts';

export interface Owner {
  readonly name: string;
  readonly roles: readonly Role[];
}

/** The principal of a configured token. */
export interface Principal extends Owner {
  /**
   * Distinguishes this token from a later one of the same name, in a session that it creates. Keyed by the session's
   * token, which is not stored: the stored mark reveals nothing about the configured token.
   */
  markFor(sessionToken: string): string;
}

export interface Principals {
  /** Undefined: the configuration has no token with this subject in this tenant. */
  find(tenantId: string, subject: string): Principal | undefined;
}

export function configuredPrincipals(tokens: readonly ConfiguredToken[]): Principals {
  const bySubject = new Map(tokens.map((token) => [configuredSubject(token.name), { token, roles: [token.role] }]));
  return {
    find(tenantId, subject) {
      const found = bySubject.get(subject);
      if (found === undefined || found.token.tenantId !== tenantId) return undefined;
      const { token, roles } = found;
      return {
        name: token.name,
        roles,
        markFor: (sessionToken) => createHmac('sha256', sessionToken).update(token.token).digest('base64url'),
      };
    },
  };
}

/** Undefined: the owner does not exist, is disabled, or has a reserved subject, such as that of a system caller. */
export function findActiveOwner(
  principals: Principals,
  { tenantId, userId, owner }: { tenantId: string; userId: string; owner: OwnerRecord | null },
): Owner | undefined {
  const principal = principals.find(tenantId, userId);
  if (principal !== undefined) return principal;
  return owner !== null && owner.status === 'active' && !isReservedSubject(userId) ? owner : undefined;
}
