// Verbs over sign-in sessions, which stand for a bearer token on the browser's pages. choices-4.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound, unauthenticated } from '../../model/errors.ts';
import type { SignInSession } from '../../model/access/sign-in-session.ts';
import type { SignInIssuer } from '../../ports/store/credential-rows.ts';
import type { Page } from '../../ports/store/page.ts';
import type { Rows } from '../../ports/store/store.ts';
import { changeOwned } from '../change-owned.ts';
import { cutPage } from '../cut-page.ts';
import type { AccessDeps } from '../deps.ts';
import {
  isFromIdentityProvider,
  findSignInIssuer,
  assertHomeTenant,
  markConfiguredToken,
  upsertProvidedUser,
} from '../identity/credential-issuer.ts';
import { permit } from '../permit.ts';
import { hashSecret, makeSecret } from '../identity/secrets.ts';

/** How long a session lasts, unless the credential that created it ends before. */
export const sessionHours = 12;

export interface OpenedSignIn {
  readonly session: SignInSession;
  /** The session's bearer token. */
  readonly accessToken: string;
  /** The secret of the session's cookie, which opens page files and nothing else. */
  readonly pageSecret: string;
}

/**
 * Creates a session with the caller's permissions, which ends with the credential that creates it, or that made the code.
 * @throws DomainError forbidden when the caller is a session: it could be renewed for ever; unauthenticated when the code has
 * been used meanwhile
 */
export async function openSignIn(deps: AccessDeps, caller: Caller): Promise<OpenedSignIn> {
  assertHomeTenant(caller);
  if (caller.credential === 'session' && caller.codeId === undefined) {
    throw new DomainError(
      'forbidden',
      'session_of_session',
      'A session cannot create another session. Sign in with the token or key that created this one.',
    );
  }
  const accessToken = makeSecret('cs_', deps.randomBytes);
  const pageSecret = makeSecret('cp_', deps.randomBytes);
  const session = await deps.store.within(caller, async (rows) => {
    await upsertProvidedUser(rows, caller);
    const issuer = await findIssuerOrUseCode(rows, caller);
    return rows.signIns.create({
      sessionId: deps.makeId(),
      userId: caller.subject,
      name: caller.name,
      hash: hashSecret(accessToken),
      roles: caller.roles,
      scopes: caller.scopes ?? null,
      hours: sessionHours,
      issuer,
      tokenMark: markConfiguredToken(deps.principals, caller, issuer, accessToken),
      pageHash: hashSecret(pageSecret),
      pageMark: markConfiguredToken(deps.principals, caller, issuer, pageSecret),
    });
  });
  if (isFromIdentityProvider(caller)) deps.stored.forget();
  return { session, accessToken, pageSecret };
}

async function findIssuerOrUseCode(rows: Rows, caller: Caller): Promise<SignInIssuer> {
  if (caller.codeId === undefined) return findSignInIssuer(rows, caller);
  const issuer = await rows.signInCodes.use(caller.codeId);
  if (issuer === undefined) throw unauthenticated();
  return issuer;
}

/** Active sessions, newest first: the caller's, or all. @throws DomainError forbidden */
export async function listSignIns(
  deps: Pick<AccessDeps, 'store' | 'policy'>,
  caller: Caller,
  all: boolean,
  page: Page,
): Promise<{ items: readonly SignInSession[]; next: string | null }> {
  if (all) await permit(deps.policy, caller, 'users:read');
  const userId = all ? undefined : caller.subject;
  const found = await deps.store.within(caller, (rows) =>
    rows.signIns.list({ limit: page.limit + 1, before: page.before, userId }),
  );
  return cutPage(found, page.limit, ({ sessionId }) => sessionId);
}

/** The session that made this call; undefined for other credentials. It lies in the credential's own tenant. */
export async function findOwnSession(
  { store }: Pick<AccessDeps, 'store'>,
  { sessionId, homeTenantId }: Caller,
): Promise<SignInSession | undefined> {
  if (sessionId === undefined) return undefined;
  return store.within({ tenantId: homeTenantId }, (rows) => rows.signIns.find(sessionId));
}

/** @throws DomainError not_found; forbidden for another user's session without `users:write` */
export async function endSignIn(deps: AccessDeps, caller: Caller, sessionId: string): Promise<SignInSession> {
  const ended = await changeOwned(deps, caller, {
    ownerOf: async (rows) => (await requireSession(rows, sessionId)).userId,
    othersDemand: 'users:write',
    change: async (rows) => {
      const session = await requireSession(rows, sessionId);
      await rows.signIns.end(sessionId);
      return session;
    },
  });
  deps.stored.forget();
  return ended;
}

async function requireSession(rows: Rows, sessionId: string): Promise<SignInSession> {
  const session = await rows.signIns.find(sessionId);
  if (session === undefined) throw notFound('sign_in_session');
  return session;
}
