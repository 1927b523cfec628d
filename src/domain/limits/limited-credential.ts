// The key by which a credential's calls are limited.
import type { Caller } from '../model/access/caller.ts';
import type { LimitedCredential } from '../ports/window-ledger.ts';

/**
 * A call into another tenant counts for the credential's own tenant. All sessions of a subject count as one credential,
 * so signing in repeatedly does not raise the limit.
 */
export function toLimitedCredential({
  homeTenantId: tenantId,
  subject,
  credential,
  credentialId,
}: Caller): LimitedCredential {
  return { tenantId, credentialId: credential === 'session' ? `sessions of ${subject}` : credentialId };
}
