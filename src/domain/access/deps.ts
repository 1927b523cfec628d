// Dependencies of the access verbs.
import type { MakeId } from '../../lib/uuid7.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store/store.ts';
import type { Principals } from './identity/owners.ts';
import type { RandomBytes } from './identity/secrets.ts';
import type { StoredCredentials } from './identity/stored-credentials.ts';

export interface AccessDeps {
  readonly store: Store;
  readonly policy: Policy;
  readonly principals: Principals;
  readonly stored: Pick<StoredCredentials, 'forget'>;
  readonly makeId: MakeId;
  readonly randomBytes: RandomBytes;
}
