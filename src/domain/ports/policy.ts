// The port of the policy, which is evaluated in this process or by a sidecar.
import type { Permission, Role } from '../model/access/permission.ts';

/** All inputs of a decision. choices-4. */
export interface PolicyQuery {
  readonly subject: string;
  readonly roles: readonly Role[];
  /** Scopes of an API key; null: not narrowed. */
  readonly scopes: readonly string[] | null;
  /** The tenant that the credential belongs to. */
  readonly tenantId: string;
  /** One of these is required; empty: any valid credential is enough. */
  readonly permissions: readonly Permission[];
  /** The tenant whose rows are requested; it differs from the credential's under a tenant override. */
  readonly resourceTenantId: string;
  /** The owner of the thing to change, `*` for any other; null when ownership does not matter. */
  readonly owner: string | null;
}

export interface Policy {
  /** Decides. @throws DomainError unavailable (policy_unavailable) without a decision in time: the call is refused */
  allows(query: PolicyQuery): boolean | Promise<boolean>;
}
