// The name under which a credential is limited.
import type { Caller } from '../model/access/caller.ts';
import type { LimitedCredential } from '../ports/store/window-ledger.ts';

/**
 * A call that crosses to another tenant counts as the credential's own. Sessions of one subject are one credential: signing
 * in often gives nobody more.
 */
export function toLimitedCredential({
  homeTenantId: tenantId,
  subject,
  credential,
  credentialId,
}: Caller): LimitedCredential {
  return { tenantId, credentialId: credential === 'session' ? `sessions of ${subject}` : credentialId };
}
