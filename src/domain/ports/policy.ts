// What is asked of the policy, wherever it is evaluated: in this process, or by a sidecar.
import type { Permission, Role } from '../model/access/permission.ts';

/** Everything that a decision depends on. choices-4. */
export interface PolicyQuery {
  readonly subject: string;
  readonly roles: readonly Role[];
  /** Scopes of an API key; null: not narrowed. */
  readonly scopes: readonly string[] | null;
  /** The tenant that the credential belongs to. */
  readonly tenantId: string;
  /** One of these is needed; empty: any valid credential will do. */
  readonly permissions: readonly Permission[];
  /** The tenant whose rows are asked for: another one than the credential's is a crossing. */
  readonly resourceTenantId: string;
  /** Who owns the thing that is to be changed, `*` for others in general; null where ownership is not the question. */
  readonly owner: string | null;
}

export interface Policy {
  /** Decides. @throws DomainError unavailable (policy_unavailable) when nobody can decide in time: a refusal too */
  allows(query: PolicyQuery): boolean | Promise<boolean>;
}
