// Rows of users, API keys, sign-in sessions and sign-in codes, within a tenant.
import type { ApiKey } from '../../model/access/api-key.ts';
import type { Role } from '../../model/access/permission.ts';
import type { SignInSession } from '../../model/access/sign-in-session.ts';
import type { User, UserStatus } from '../../model/access/user.ts';
import type { Page } from './page.ts';

export interface UserRows {
  find(userId: string): Promise<User | undefined>;
  /** As `find`; locks the user until this transaction ends. */
  findAndLock(userId: string): Promise<User | undefined>;
  /** By id, ascending; `before` is the last id of the page before. */
  list(page: Page): Promise<User[]>;
  /** An undefined field stays as it is; a new user has its id as name, no roles, and is active. */
  put(
    userId: string,
    change: { name: string | undefined; roles: readonly Role[] | undefined; status: UserStatus | undefined },
  ): Promise<User>;
  /** Follows an access token; the status stays. */
  upsertProvided(userId: string, name: string, roles: readonly Role[]): Promise<User>;
  remove(userId: string): Promise<void>;
}

/** The creator of a credential, which limits the new credential's lifetime. */
export interface CredentialIssuer {
  /** The credential that creates it. */
  readonly credentialId: string;
  /** The API key that creates it, or that created the creating session: the new credential ends no later. */
  readonly keyId: string | null;
}

/** The creator of a session or of a code: the session ends with it. */
export interface SignInIssuer extends CredentialIssuer {
  /** The session that makes a code, and the sessions that led to that one: the code's session is valid while all exist. */
  readonly ancestors: readonly string[];
  /** Milliseconds since 1970; the session ends no later. */
  readonly notAfter: number | null;
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
  /** Newest first; `userId` undefined: all users. */
  list(page: Page & { userId: string | undefined }): Promise<ApiKey[]>;
  create(key: NewApiKey): Promise<ApiKey>;
  /** Ends the sessions that the key created too. A revoked key stays as it is. */
  revoke(keyId: string): Promise<void>;
  revokeAllOf(userId: string): Promise<void>;
  /** Deletes keys that have been revoked or expired for this long. @returns how many */
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
  readonly issuer: SignInIssuer;
  /** Distinguishes a configured token from another one of its name; null for other credentials. */
  readonly tokenMark: string | null;
  /** SHA-256 of the secret in the session's cookie. */
  readonly pageHash: Buffer;
  /** As `tokenMark`, keyed by the cookie's secret. */
  readonly pageMark: string | null;
}

export interface SignInSessionRows {
  /** Undefined also when it has expired. */
  find(sessionId: string): Promise<SignInSession | undefined>;
  /** The API key that created it, and the sessions that led to it. */
  findOrigin(sessionId: string): Promise<{ keyId: string | null; ancestors: readonly string[] }>;
  /** Active sessions, newest first; `userId` undefined: all users. */
  list(page: Page & { userId: string | undefined }): Promise<SignInSession[]>;
  create(session: NewSignInSession): Promise<SignInSession>;
  /** Ends the sessions of its codes too. */
  end(sessionId: string): Promise<void>;
  /** Deletes the user's sign-in codes too. */
  endAllOf(userId: string): Promise<void>;
  /** Deletes expired sessions, and expired codes. @returns how many sessions */
  dropExpired(): Promise<number>;
}

export interface NewSignInCode {
  readonly codeId: string;
  readonly userId: string;
  /** SHA-256 of the code. */
  readonly hash: Buffer;
  readonly roles: readonly Role[];
  readonly scopes: readonly string[] | null;
  readonly seconds: number;
  readonly issuer: SignInIssuer;
  readonly tokenMark: string | null;
}

export interface SignInCodeRows {
  create(code: NewSignInCode): Promise<{ expiresAt: string }>;
  /** Uses the code up. Undefined when it was used before or has expired. */
  use(codeId: string): Promise<SignInIssuer | undefined>;
}
