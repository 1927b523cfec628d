// The noun API key: a credential that its owner made for a program. core-5.4.

export interface ApiKey {
  readonly keyId: string;
  /** The owner's subject: what is made with the key belongs to it. */
  readonly userId: string;
  readonly name: string;
  /** The key's first characters: enough to tell keys apart, not enough to guess one. */
  readonly prefix: string;
  /** `resource:action` or `resource:*`; they narrow what the owner may do. */
  readonly scopes: readonly string[];
  /** The credential that made it. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** How the name of a key's credential begins; the key's id follows. */
export const keyCredentialPrefix = 'key:';
