// Checks shared by the creation of keys, of sessions and of codes.
import type { Caller } from '../../model/access/caller.ts';
import { keyCredentialPrefix } from '../../model/access/api-key.ts';
import { DomainError, unauthenticated } from '../../model/errors.ts';
import type { CredentialIssuer, SignInIssuer } from '../../ports/store/credential-rows.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { Principals } from './owners.ts';

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
  return { credentialId, keyId: sessionId === undefined ? null : (await rows.signIns.findOrigin(sessionId)).keyId };
}

/** A session may be reached over this many codes, each made by the session of the one before. */
const maxAncestors = 16;

/**
 * The issuer of a session, or of a code for one.
 * @throws DomainError forbidden (`too_many_sign_ins`) at the end of a long chain of codes
 */
export async function findSignInIssuer(rows: Rows, caller: Caller): Promise<SignInIssuer> {
  const { credentialId, sessionId, expiresAt: notAfter = null } = caller;
  if (sessionId === undefined) return { ...(await findIssuer(rows, caller)), ancestors: [], notAfter };
  const origin = await rows.signIns.findOrigin(sessionId);
  const ancestors = [...origin.ancestors, sessionId];
  if (ancestors.length <= maxAncestors) return { credentialId, keyId: origin.keyId, ancestors, notAfter };
  throw new DomainError(
    'forbidden',
    'too_many_sign_ins',
    `This session was opened through a chain of ${maxAncestors} sign-in codes. Sign in with a token or key, then create a code.`,
  );
}

/**
 * The mark of the configured token that the issuer stands for, keyed by the new secret; null when it stands for an API key or
 * a user. A session whose mark differs from that of the token configured now is refused.
 */
export function markConfiguredToken(
  principals: Principals,
  { tenantId, subject }: Caller,
  issuer: CredentialIssuer,
  secret: string,
): string | null {
  if (issuer.keyId !== null) return null;
  return principals.find(tenantId, subject)?.markFor(secret) ?? null;
}
