// What identification asks of the store before a tenant is known, and what only admins do across tenants.
import type { AuditIntent } from '../../model/audit-entry.ts';
import type { Role } from '../../model/access/permission.ts';
import type { Tenant } from '../../model/access/tenant.ts';
import type { UserStatus } from '../../model/access/user.ts';
import type { Page } from './page.ts';

/** The owner of a credential as its users row has it. */
export interface OwnerRecord {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly status: UserStatus;
}

interface CredentialRecord {
  readonly tenantId: string;
  /** The owner's subject. */
  readonly userId: string;
  /** Null: there is no such row; the owner may be a configured token's principal. */
  readonly owner: OwnerRecord | null;
  /** Milliseconds that it still lives, by the database's clock; null: for ever. */
  readonly remainingMs: number | null;
  /** Whether the time of its last use is to be written. */
  readonly isUseStale: boolean;
}

export interface KeyRecord extends CredentialRecord {
  readonly keyId: string;
  readonly scopes: readonly string[];
}

export interface SessionRecord extends CredentialRecord {
  readonly sessionId: string;
  /** Of the credential that made it, when it did. */
  readonly roles: readonly Role[];
  readonly scopes: readonly string[] | null;
  readonly tokenMark: string | null;
}

export interface UsedCredential {
  readonly tenantId: string;
  readonly kind: 'key' | 'session';
  readonly id: string;
}

/** Each throws a DomainError of kind `unavailable` when the database cannot be asked. */
export interface Credentials {
  /** The key of this SHA-256; undefined when there is none that lives. */
  findKey(hash: Buffer): Promise<KeyRecord | undefined>;
  /** The session of this SHA-256; undefined when there is none that lives, or the key that made it does not. */
  findSession(hash: Buffer): Promise<SessionRecord | undefined>;
  /** Notes that these were used now. */
  used(credentials: readonly UsedCredential[]): Promise<void>;
}

/** The register of tenants. */
export interface TenantRegistry {
  /** By id, from the first to the last; `before` is the last id of the page before. */
  list(page: Page): Promise<Tenant[]>;
  /**
   * Undefined when there is one of this id.
   * @param intent committed with it
   */
  create(
    tenant: { readonly tenantId: string; readonly name: string },
    intent: AuditIntent | undefined,
  ): Promise<Tenant | undefined>;
}
