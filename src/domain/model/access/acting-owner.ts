// The noun acting owner: the credential with which its owner made something that creates tasks later. choices-4.
import type { User } from './user.ts';
import type { Role } from './permission.ts';

export interface ActingOwner {
  readonly homeTenantId: string;
  /** At that time; they count for principals that have no record of their own. */
  readonly roles: readonly Role[];
  /** Null: not narrowed. */
  readonly scopes: readonly string[] | null;
  /** The API key; what it made acts no more once it is revoked or expired. */
  readonly keyId: string | null;
}

/** The records of an owner, as they are now. */
export interface OwnerRecords {
  /** Undefined: it has no record of its own. */
  readonly user: Pick<User, 'roles' | 'status'> | undefined;
  /** False: the key with which it acts is revoked, expired or deleted. True without a key. */
  readonly isKeyValid: boolean;
}
