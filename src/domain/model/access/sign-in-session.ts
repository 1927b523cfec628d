// The noun sign-in session: stands for a bearer token on the browser's pages. choices-4.

export interface SignInSession {
  readonly sessionId: string;
  /** Subject of the credential that created it. */
  readonly userId: string;
  readonly name: string;
  /** The credential that created it. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Accurate to the minute. */
  readonly lastUsedAt: string | null;
}
