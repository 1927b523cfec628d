// Who asks: the outcome of identification, the first argument of every verb.
import type { AuditIntent } from '../audit-entry.ts';
import type { Role } from './permission.ts';

export interface Caller {
  /** Stable name of the principal, e.g. `token:ci`; owns what it creates. */
  readonly subject: string;
  /** Name to show. */
  readonly name: string;
  /** The tenant whose rows this call sees: the credential's, or the one that an admin crosses to. */
  readonly tenantId: string;
  /** The tenant that the credential belongs to. */
  readonly homeTenantId: string;
  readonly roles: readonly Role[];
  /** Scopes that narrow the roles (`resource:action`, `resource:*`); undefined: not narrowed. */
  readonly scopes?: readonly string[];
  /** Kind of credential. */
  readonly credential: 'service_token' | 'shared_token' | 'api_key' | 'session' | 'access_token' | 'service';
  /** Stable name of the credential itself: what is limited, revoked and audited by it. */
  readonly credentialId: string;
  /** Of the sign-in session, where the credential is one. */
  readonly sessionId?: string;
  /** When an access token of the identity provider expires, in milliseconds since 1970; what it makes ends with it. */
  readonly expiresAt?: number;
  /** What the audit says of this call; the store commits it together with what the call changes. */
  readonly intent?: AuditIntent;
  /** The trace that a changing call is part of, as W3C Trace Context writes it; what it makes belongs to it. */
  readonly traceparent?: string | undefined;
}
