// Identifies the caller of an API key, a sign-in session or a sign-in code from the database.
import { timingSafeEqual } from 'node:crypto';
import { keyCredentialPrefix } from '../../model/access/api-key.ts';
import type { AuthenticatedCaller } from '../../model/access/caller.ts';
import type { CodeRecord, Credentials, KeyRecord, SessionRecord } from '../../ports/store/credentials.ts';
import { ShortTtlCache, type LookupResult } from './short-ttl-cache.ts';
import { unauthenticated } from '../../model/errors.ts';
import type { LastUses } from './last-uses.ts';
import { findActiveOwner, type Principals } from './owners.ts';
import { hashSecret } from './secrets.ts';
import { permissionsOf, roles, type Role } from '../../model/access/permission.ts';

export interface StoredCredentialsDeps {
  readonly credentials: Credentials;
  readonly principals: Principals;
  readonly uses: LastUses;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
}

export class StoredCredentials {
  readonly #deps: StoredCredentialsDeps;
  readonly #cache: ShortTtlCache<AuthenticatedCaller>;

  constructor(deps: StoredCredentialsDeps) {
    this.#deps = deps;
    this.#cache = new ShortTtlCache(deps.elapsedMs);
  }

  /** @throws DomainError unauthenticated; unavailable while the database is unreachable */
  async findByKey(bearer: string): Promise<AuthenticatedCaller> {
    const hash = hashSecret(bearer);
    return this.#caller(hash, async () => {
      const record = await this.#deps.credentials.findKey(hash);
      return record === undefined ? undefined : this.#toLookupResult(record, this.#keyCaller(record));
    });
  }

  /** @throws DomainError unauthenticated; unavailable while the database is unreachable */
  async findBySessionToken(bearer: string): Promise<AuthenticatedCaller> {
    const hash = hashSecret(bearer);
    return this.#caller(hash, async () => {
      const record = await this.#deps.credentials.findSession(hash);
      return record === undefined ? undefined : this.#toLookupResult(record, this.#sessionCaller(record, bearer));
    });
  }

  /** By the secret of a session's cookie. @throws as `findBySessionToken` */
  async findByPageSecret(secret: string): Promise<AuthenticatedCaller> {
    const hash = hashSecret(secret);
    return this.#caller(hash, async () => {
      const record = await this.#deps.credentials.findPageSession(hash);
      return record === undefined ? undefined : this.#toLookupResult(record, this.#sessionCaller(record, secret));
    });
  }

  /** By a sign-in code that nobody has used. It stays usable: the verb that opens the session uses it up. @throws as above */
  async findByCode(code: string): Promise<AuthenticatedCaller> {
    const record = await this.#deps.credentials.findCode(hashSecret(code));
    const owned = record === undefined ? undefined : this.#ownedCaller(record, code);
    if (record === undefined || owned === undefined) throw unauthenticated();
    return { ...owned, credentialId: `code:${record.codeId}`, codeId: record.codeId };
  }

  /** Call after this process changed credentials: the change is in force here at once, elsewhere within a second. */
  forget(): void {
    this.#cache.clear();
  }

  async #caller(
    hash: Buffer,
    find: () => Promise<LookupResult<AuthenticatedCaller> | undefined>,
  ): Promise<AuthenticatedCaller> {
    const caller = await this.#cache.get(hash.toString('base64'), find);
    if (caller === undefined) throw unauthenticated();
    return caller;
  }

  #toLookupResult(
    record: KeyRecord | SessionRecord,
    caller: AuthenticatedCaller | undefined,
  ): LookupResult<AuthenticatedCaller> | undefined {
    if (caller === undefined) return undefined;
    const { tenantId, isUseStale, remainingMs } = record;
    const used = 'keyId' in record ? ({ kind: 'key', id: record.keyId } as const) : sessionUse(record);
    if (isUseStale) this.#deps.uses.note({ tenantId, ...used });
    return { value: caller, ttlMs: remainingMs ?? Infinity };
  }

  #keyCaller(record: KeyRecord): AuthenticatedCaller | undefined {
    const owner = findActiveOwner(this.#deps.principals, record);
    if (owner === undefined) return undefined;
    return {
      subject: record.userId,
      name: owner.name,
      tenantId: record.tenantId,
      homeTenantId: record.tenantId,
      roles: owner.roles,
      scopes: record.scopes,
      credential: 'api_key',
      credentialId: `${keyCredentialPrefix}${record.keyId}`,
    };
  }

  #sessionCaller(record: SessionRecord, secret: string): AuthenticatedCaller | undefined {
    const owned = this.#ownedCaller(record, secret);
    if (owned === undefined) return undefined;
    return { ...owned, credentialId: `session:${record.sessionId}`, sessionId: record.sessionId };
  }

  /** The permissions of a session or a code: those that its creator had then and its owner still has now. */
  #ownedCaller(
    record: SessionRecord | CodeRecord,
    secret: string,
  ): Omit<AuthenticatedCaller, 'credentialId'> | undefined {
    const owner = findActiveOwner(this.#deps.principals, record);
    if (owner === undefined || !this.#hasSameToken(record, secret)) return undefined;
    return {
      subject: record.userId,
      name: owner.name,
      tenantId: record.tenantId,
      homeTenantId: record.tenantId,
      roles: commonRoles(record.roles, owner.roles),
      scopes: record.scopes ?? undefined,
      credential: 'session',
    };
  }

  #hasSameToken({ tenantId, userId, tokenMark }: SessionRecord | CodeRecord, secret: string): boolean {
    if (tokenMark === null) return true;
    const mark = this.#deps.principals.find(tenantId, userId)?.markFor(secret);
    return mark?.length === tokenMark.length && timingSafeEqual(Buffer.from(mark), Buffer.from(tokenMark));
  }
}

function sessionUse(record: SessionRecord): { kind: 'session'; id: string } {
  return { kind: 'session', id: record.sessionId };
}

/** The widest roles that neither set exceeds. */
export function commonRoles(a: readonly Role[], b: readonly Role[]): readonly Role[] {
  if (a.length === b.length && a.every((role) => b.includes(role))) return b;
  const [heldByA, heldByB] = [permissionsOf(a), permissionsOf(b)];
  const contained = roles
    .map((role) => ({ role, holds: permissionsOf([role]) }))
    .filter(({ holds }) => holds.isSubsetOf(heldByA) && holds.isSubsetOf(heldByB));
  const exceeded = (role: (typeof contained)[number]): boolean =>
    contained.some((other) => other !== role && role.holds.isSubsetOf(other.holds));
  return contained.filter((role) => !exceeded(role)).map(({ role }) => role);
}
