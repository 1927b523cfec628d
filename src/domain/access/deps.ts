// What the verbs of access need.
import type { MakeId } from '../../lib/uuid7.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store.ts';
import type { Principals } from './owners.ts';
import type { RandomBytes } from './secrets.ts';
import type { StoredCredentials } from './stored-credentials.ts';

export interface AccessDeps {
  readonly store: Store;
  readonly policy: Policy;
  readonly principals: Principals;
  readonly stored: Pick<StoredCredentials, 'forget'>;
  readonly makeId: MakeId;
  readonly randomBytes: RandomBytes;
}
