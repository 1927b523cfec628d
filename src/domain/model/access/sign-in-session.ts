// The noun sign-in session: what a bearer became for the browser's pages. choices-4.

export interface SignInSession {
  readonly sessionId: string;
  /** Subject of the credential that made it. */
  readonly userId: string;
  readonly name: string;
  /** The credential that made it. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** To the minute. */
  readonly lastUsedAt: string | null;
}
