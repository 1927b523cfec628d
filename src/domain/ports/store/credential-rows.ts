// What the verbs of access ask of the store: users, API keys and sign-in sessions, within a tenant.
import type { ApiKey } from '../../model/access/api-key.ts';
import type { Role } from '../../model/access/permission.ts';
import type { SignInSession } from '../../model/access/sign-in-session.ts';
import type { User, UserStatus } from '../../model/access/user.ts';
import type { Page } from './page.ts';

export interface UserRows {
  find(userId: string): Promise<User | undefined>;
  /** As `find`; nobody changes or deletes the user until this transaction is over. */
  findAndLock(userId: string): Promise<User | undefined>;
  /** By id, from the first to the last; `before` is the last id of the page before. */
  list(page: Page): Promise<User[]>;
  /** What is undefined stays; of a new user it is the id as name, no roles, active. */
  put(
    userId: string,
    change: { name: string | undefined; roles: readonly Role[] | undefined; status: UserStatus | undefined },
  ): Promise<User>;
  /** As an access token says; the status stays. */
  upsertProvided(userId: string, name: string, roles: readonly Role[]): Promise<User>;
  remove(userId: string): Promise<void>;
}

/** What limits the life of a credential that another one makes. */
export interface CredentialIssuer {
  /** Of the credential that makes it. */
  readonly credentialId: string;
  /** The API key that makes it, or that made the session that makes it: it ends no later. */
  readonly keyId: string | null;
}

export interface NewApiKey {
  readonly keyId: string;
  readonly userId: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the key. */
  readonly hash: Buffer;
  readonly scopes: readonly string[];
  readonly expiresInDays: number | null;
  readonly issuer: CredentialIssuer;
}

export interface ApiKeyRows {
  find(keyId: string): Promise<ApiKey | undefined>;
  /** Newest first; `userId` undefined: everybody's. */
  list(page: Page & { userId: string | undefined }): Promise<ApiKey[]>;
  create(key: NewApiKey): Promise<ApiKey>;
  /** Ends the sessions that it made too. A key that is revoked stays as it is. */
  revoke(keyId: string): Promise<void>;
  revokeAllOf(userId: string): Promise<void>;
  /** Drops those that have been revoked or expired for this long. @returns how many */
  dropInactive(olderThanDays: number): Promise<number>;
}

export interface NewSignInSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly name: string;
  /** SHA-256 of the token. */
  readonly hash: Buffer;
  readonly roles: readonly Role[];
  readonly scopes: readonly string[] | null;
  readonly hours: number;
  /** Milliseconds since 1970; it ends no later. */
  readonly notAfter: number | null;
  readonly issuer: CredentialIssuer;
  /** Tells a configured token from another one of its name; null for other credentials. */
  readonly tokenMark: string | null;
}

export interface SignInSessionRows {
  /** Undefined too when it is over. */
  find(sessionId: string): Promise<SignInSession | undefined>;
  /** The API key that made it. */
  findApiKeyId(sessionId: string): Promise<string | null>;
  /** Those that are not over, newest first; `userId` undefined: everybody's. */
  list(page: Page & { userId: string | undefined }): Promise<SignInSession[]>;
  create(session: NewSignInSession): Promise<SignInSession>;
  end(sessionId: string): Promise<void>;
  endAllOf(userId: string): Promise<void>;
  /** Drops those that are over. @returns how many */
  dropExpired(): Promise<number>;
}
