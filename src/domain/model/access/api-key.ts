// The noun API key: a credential that its owner created for a program. core-5.4.

export interface ApiKey {
  readonly keyId: string;
  /** The owner's subject, which owns what the key creates. */
  readonly userId: string;
  readonly name: string;
  /** The key's first characters: enough to distinguish keys, too few to guess one. */
  readonly prefix: string;
  /** `resource:action` or `resource:*`; they narrow the owner's permissions. */
  readonly scopes: readonly string[];
  /** The credential that created it. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** Accurate to the minute. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** Prefix of the credential id of a key; the key's id follows. */
export const keyCredentialPrefix = 'key:';
