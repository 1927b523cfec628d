// Verbs over sign-in sessions, which stand for a bearer token on the browser's pages. choices-4.
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { SignInSession } from '../model/access/sign-in-session.ts';
import type { Page } from '../ports/store/page.ts';
import type { Rows } from '../ports/store/store.ts';
import { changeOwned } from './change-owned.ts';
import { cutPage } from './cut-page.ts';
import type { AccessDeps } from './deps.ts';
import {
  isFromIdentityProvider,
  findIssuer,
  assertHomeTenant,
  upsertProvidedUser,
} from './identity/credential-issuer.ts';
import { permit } from './permit.ts';
import { hashSecret, makeSecret } from './identity/secrets.ts';

/** How long a session lasts, unless the credential that created it ends before. */
export const sessionHours = 12;

/**
 * Creates a session with the caller's permissions, which ends with the credential that creates it.
 * @throws DomainError forbidden when the caller is a session: it could be renewed for ever
 */
export async function openSignIn(
  deps: AccessDeps,
  caller: Caller,
): Promise<{ session: SignInSession; accessToken: string }> {
  assertHomeTenant(caller);
  if (caller.credential === 'session') {
    throw new DomainError(
      'forbidden',
      'session_of_session',
      'A session cannot create another session. Sign in with the token or key that created this one.',
    );
  }
  const accessToken = makeSecret('cs_', deps.randomBytes);
  const session = await deps.store.within(caller, async (rows) => {
    await upsertProvidedUser(rows, caller);
    return rows.signIns.create({
      sessionId: deps.makeId(),
      userId: caller.subject,
      name: caller.name,
      hash: hashSecret(accessToken),
      roles: caller.roles,
      scopes: caller.scopes ?? null,
      hours: sessionHours,
      notAfter: caller.expiresAt ?? null,
      issuer: await findIssuer(rows, caller),
      tokenMark: findTokenMark(deps, caller, accessToken),
    });
  });
  if (isFromIdentityProvider(caller)) deps.stored.forget();
  return { session, accessToken };
}

function findTokenMark({ principals }: AccessDeps, caller: Caller, accessToken: string): string | null {
  const configured = caller.credential === 'service_token' || caller.credential === 'shared_token';
  return configured ? (principals.find(caller.tenantId, caller.subject)?.markFor(accessToken) ?? null) : null;
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
