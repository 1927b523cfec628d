// Who asks: the outcome of identification, the first argument of every verb.
import type { Permission, Role } from './permission.ts';

export interface Caller {
  /** Stable name of the principal, e.g. `token:ci`; owns what it creates. */
  readonly subject: string;
  /** Name to show. */
  readonly name: string;
  /** The tenant whose rows this call sees; set from the credential and from nothing else. */
  readonly tenantId: string;
  readonly roles: readonly Role[];
  /** Scopes that narrow the roles (`resource:action`, `resource:*`); undefined: not narrowed. */
  readonly scopes?: readonly string[];
  /** Kind of credential. */
  readonly credential: 'service_token' | 'shared_token' | 'service';
  /** Everything this caller may do: roles and scopes, worked out once for a credential. */
  readonly permissions: ReadonlySet<Permission>;
}
