// What identification asks of an identity provider: who an access token stands for. core-5.4.
import type { Caller } from '../model/access/caller.ts';

export interface TokenProvider {
  /**
   * Who this access token stands for, proven by the provider's signature.
   * @throws DomainError unauthenticated for what is no valid token of this provider for this service; forbidden
   * (`no_tenant`, `unknown_tenant`, `no_role`) for a valid one that says too little; unavailable
   * (`identity_provider_unavailable`) when the provider's keys cannot be had in time
   */
  verify(token: string): Promise<Caller>;
}
