// Checks shared by the creation of keys and of sessions.
import type { Caller } from '../../model/access/caller.ts';
import { keyCredentialPrefix } from '../../model/access/api-key.ts';
import { DomainError, unauthenticated } from '../../model/errors.ts';
import type { CredentialIssuer } from '../../ports/store/credential-rows.ts';
import type { Rows } from '../../ports/store/store.ts';

/** An admin in another tenant has no credentials of its own there. @throws DomainError forbidden (`not_at_home`) */
export function assertHomeTenant(caller: Caller): void {
  if (caller.tenantId === caller.homeTenantId) return;
  throw new DomainError(
    'forbidden',
    'not_at_home',
    'You have no credentials of your own in another tenant. Omit X-Tenant-Id, or name a user of that tenant.',
  );
}

/** Whether the caller's identity is from the identity provider: its users row follows its token. */
export function isFromIdentityProvider(caller: Caller): boolean {
  return caller.credential === 'access_token';
}

/** Stores a user of the identity provider with the roles of its token. */
export async function upsertProvidedUser(rows: Rows, caller: Caller): Promise<void> {
  if (!isFromIdentityProvider(caller)) return;
  const user = await rows.users.upsertProvided(caller.subject, caller.name, caller.roles);
  if (user.status === 'disabled') throw unauthenticated();
}

export async function findIssuer(rows: Rows, caller: Caller): Promise<CredentialIssuer> {
  const { credential, credentialId, sessionId } = caller;
  if (credential === 'api_key') return { credentialId, keyId: credentialId.slice(keyCredentialPrefix.length) };
  return { credentialId, keyId: sessionId === undefined ? null : await rows.signIns.findApiKeyId(sessionId) };
}
