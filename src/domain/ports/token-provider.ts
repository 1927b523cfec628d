// The port of the identity provider: verifies access tokens. core-5.4.
import type { AuthenticatedCaller } from '../model/access/caller.ts';

export interface TokenProvider {
  /**
   * The caller of an access token, proven by the provider's signature.
   * @throws DomainError unauthenticated when it is not a valid token of this provider for this service; forbidden
   * (`no_tenant`, `unknown_tenant`, `no_role`) when a valid token lacks claims; unavailable
   * (`identity_provider_unavailable`) when the provider's keys cannot be fetched in time
   */
  verify(token: string): Promise<AuthenticatedCaller>;
}
