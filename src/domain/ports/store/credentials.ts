// The port of the store for authentication, before a tenant is known, and for the admins' registry of tenants.
import type { AuditIntent } from '../../model/audit-entry.ts';
import type { Role } from '../../model/access/permission.ts';
import type { Tenant } from '../../model/access/tenant.ts';
import type { UserStatus } from '../../model/access/user.ts';
import type { Page } from './page.ts';

/** The owner of a credential, from its users row. */
export interface OwnerRecord {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly status: UserStatus;
}

interface CredentialRecord {
  readonly tenantId: string;
  /** The owner's subject. */
  readonly userId: string;
  /** Null: there is no users row; the owner may be a configured token's principal. */
  readonly owner: OwnerRecord | null;
  /** Remaining lifetime in milliseconds by the database's clock; null: unlimited. */
  readonly remainingMs: number | null;
  /** Whether the time of its last use should be written. */
  readonly isUseStale: boolean;
}

export interface KeyRecord extends CredentialRecord {
  readonly keyId: string;
  readonly scopes: readonly string[];
}

export interface SessionRecord extends CredentialRecord {
  readonly sessionId: string;
  /** Roles of the credential that created it, at that time. */
  readonly roles: readonly Role[];
  readonly scopes: readonly string[] | null;
  /** The mark that belongs to the secret by which the session was found. */
  readonly tokenMark: string | null;
}

export interface CodeRecord extends Omit<CredentialRecord, 'isUseStale'> {
  readonly codeId: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly string[] | null;
  readonly tokenMark: string | null;
}

export interface UsedCredential {
  readonly tenantId: string;
  readonly kind: 'key' | 'session';
  readonly id: string;
}

/** Each throws a DomainError of kind `unavailable` when the database is unreachable. */
export interface Credentials {
  /** The key with this SHA-256; undefined when there is no active one. */
  findKey(hash: Buffer): Promise<KeyRecord | undefined>;
  /** The session with this SHA-256; undefined when it, or the key that created it, is not active. */
  findSession(hash: Buffer): Promise<SessionRecord | undefined>;
  /** The session whose cookie has the secret with this SHA-256; undefined as with `findSession`. */
  findPageSession(hash: Buffer): Promise<SessionRecord | undefined>;
  /** The unused code with this SHA-256; undefined as with `findSession`. */
  findCode(hash: Buffer): Promise<CodeRecord | undefined>;
  /** Records a use of these credentials at this moment. */
  used(credentials: readonly UsedCredential[]): Promise<void>;
}

/** The registry of tenants. */
export interface TenantRegistry {
  /** By id, ascending; `before` is the last id of the page before. */
  list(page: Page): Promise<Tenant[]>;
  /**
   * Undefined when the id exists already.
   * @param intent committed with it
   */
  create(
    tenant: { readonly tenantId: string; readonly name: string },
    intent: AuditIntent | undefined,
  ): Promise<Tenant | undefined>;
}
