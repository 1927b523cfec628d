// Verbs over API keys. core-5.4, choices-4.
import type { ApiKey } from '../model/access/api-key.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Role } from '../model/access/permission.ts';
import type { Page } from '../ports/store/page.ts';
import type { Rows } from '../ports/store/store.ts';
import { changeOwned } from './change-owned.ts';
import { cutPage } from './cut-page.ts';
import type { AccessDeps } from './deps.ts';
import {
  isFromIdentityProvider,
  findIssuer,
  assertHomeTenant,
  upsertProvidedUser,
} from './identity/credential-issuer.ts';
import type { Principals } from './identity/owners.ts';
import { permit } from './permit.ts';
import { scopesToGrant } from './scopes.ts';
import { hashSecret, makeSecret, displayPrefix } from './identity/secrets.ts';

export interface ApiKeyRequest {
  readonly name: string;
  /** Undefined: every permission of the caller. */
  readonly scopes: readonly string[] | undefined;
  /** Undefined: the key does not expire. */
  readonly expiresInDays: number | undefined;
  /** The key's owner; undefined: the caller. */
  readonly userId: string | undefined;
}

/**
 * Creates a key. Its secret is in this answer only.
 * @throws DomainError forbidden (scopes wider than the caller's, another user's key without `api_keys:admin`), invalid,
 * not_found (`user_not_found`), conflict (`user_disabled`)
 */
export async function createApiKey(
  deps: AccessDeps,
  caller: Caller,
  request: ApiKeyRequest,
): Promise<{ apiKey: ApiKey; key: string }> {
  const { name, scopes, expiresInDays = null, userId = caller.subject } = request;
  if (request.userId === undefined) assertHomeTenant(caller);
  else if (!isSelf(caller, userId)) await permit(deps.policy, caller, 'api_keys:admin');
  const key = makeSecret('ct_', deps.randomBytes);
  const apiKey = await deps.store.within(caller, async (rows) => {
    if (isSelf(caller, userId)) await upsertProvidedUser(rows, caller);
    const ownerRoles = await findOwnerRoles(rows, deps.principals, caller.tenantId, userId);
    return rows.apiKeys.create({
      keyId: deps.makeId(),
      userId,
      name,
      prefix: displayPrefix(key),
      hash: hashSecret(key),
      scopes: scopesToGrant(caller, ownerRoles, scopes),
      expiresInDays,
      issuer: await findIssuer(rows, caller),
    });
  });
  if (isFromIdentityProvider(caller)) deps.stored.forget();
  return { apiKey, key };
}

/** A subject of the same name in another tenant is another user. */
function isSelf(caller: Caller, userId: string): boolean {
  return userId === caller.subject && caller.tenantId === caller.homeTenantId;
}

async function findOwnerRoles(
  rows: Rows,
  principals: Principals,
  tenantId: string,
  userId: string,
): Promise<readonly Role[]> {
  const principal = principals.find(tenantId, userId);
  if (principal !== undefined) return principal.roles;
  const user = await rows.users.findAndLock(userId);
  if (user === undefined) throw notFound('user');
  if (user.status === 'active') return user.roles;
  throw new DomainError(
    'conflict',
    'user_disabled',
    'This user is disabled, so its keys are rejected. Enable the user first.',
  );
}

/**
 * Lists keys, newest first: the caller's, those of one user, or all.
 * @throws DomainError forbidden for other users' keys without `api_keys:admin`
 */
export async function listApiKeys(
  deps: Pick<AccessDeps, 'store' | 'policy'>,
  caller: Caller,
  whose: { readonly userId: string | undefined; readonly all: boolean },
  page: Page,
): Promise<{ items: readonly ApiKey[]; next: string | null }> {
  const userId = whose.all ? undefined : (whose.userId ?? caller.subject);
  if (userId !== caller.subject) await permit(deps.policy, caller, 'api_keys:admin');
  const found = await deps.store.within(caller, (rows) =>
    rows.apiKeys.list({ limit: page.limit + 1, before: page.before, userId }),
  );
  return cutPage(found, page.limit, ({ keyId }) => keyId);
}

/**
 * Revokes a key, and ends the sessions that it created; the director pauses its runs. A revoked key stays as it is.
 * @throws DomainError not_found, forbidden for another user's key without `api_keys:admin`
 */
export async function revokeApiKey(deps: AccessDeps, caller: Caller, keyId: string): Promise<ApiKey> {
  const revoked = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireApiKey(rows, keyId)).userId,
    othersDemand: 'api_keys:admin',
    change: async (rows) => {
      await rows.apiKeys.revoke(keyId);
      await rows.runs.makeDueOf({ keyId });
      return requireApiKey(rows, keyId);
    },
  });
  deps.stored.forget();
  return revoked;
}

async function requireApiKey(rows: Rows, keyId: string): Promise<ApiKey> {
  const apiKey = await rows.apiKeys.find(keyId);
  if (apiKey === undefined) throw notFound('api_key');
  return apiKey;
}
