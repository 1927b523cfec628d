// The noun caller: the result of authentication, and the first argument of every verb.
import type { AuditIntent } from '../audit-entry.ts';
import type { Role } from './permission.ts';

/** Kinds of credentials that authentication accepts. */
export type CredentialKind = 'service_token' | 'shared_token' | 'api_key' | 'session' | 'access_token';

export interface Caller {
  /** Stable name of the principal, e.g. `token:ci`; owns what the caller creates. */
  readonly subject: string;
  /** Display name. */
  readonly name: string;
  /** The tenant whose rows this call sees: the credential's, or the one that an admin overrides it with. */
  readonly tenantId: string;
  /** The tenant that the credential belongs to. */
  readonly homeTenantId: string;
  readonly roles: readonly Role[];
  /** Scopes that narrow the roles (`resource:action`, `resource:*`); undefined: not narrowed. */
  readonly scopes?: readonly string[];
  /** Kind of credential; `service`: a component of the service itself, which has none. */
  readonly credential: CredentialKind | 'service';
  /** Stable name of the credential itself, for limits, revocation and audit. */
  readonly credentialId: string;
  /** The id of the sign-in session, when the credential is one. */
  readonly sessionId?: string;
  /** The id of the sign-in code, when it stands in for its maker's credential: it may create a session. */
  readonly codeId?: string;
  /** Expiry of a provider's access token, in milliseconds since 1970; credentials that it creates end no later. */
  readonly expiresAt?: number;
  /** The audit intent of this call; the store commits it together with the call's changes. */
  readonly intent?: AuditIntent;
  /** The W3C trace context of a changing call; tasks that it creates belong to that trace. */
  readonly traceparent?: string | undefined;
}

/** A caller that authentication identified by its credential; it is never a system caller. */
export interface AuthenticatedCaller extends Caller {
  readonly credential: CredentialKind;
}

/** A component of the service itself, such as a background loop. Only `systemCaller` (domain/access) makes one. */
export interface SystemCaller extends Caller {
  readonly credential: 'service';
}

/** The subject of a component, by which the audit names it. No credential leads to such a subject. */
export function serviceSubject(component: string): string {
  return `service:${component}`;
}

/** The part of a caller that the store needs to set its scope; the intent is committed with a change. */
export type TenantScope = Pick<Caller, 'tenantId' | 'intent'>;
