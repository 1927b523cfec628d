// Operations on sign-in sessions, which give a browser access to pages. choices-4.
import { z } from 'zod';
import * as wire from '../../../contracts/auth.ts';
import { id } from '../../../contracts/common.ts';
import type { AccessDeps } from '../../../domain/access/deps.ts';
import { makeSignInCode } from '../../../domain/access/sign-in/sign-in-codes.ts';
import { endSignIn, listSignIns, openSignIn } from '../../../domain/access/sign-in/sign-ins.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { SignInSession } from '../../../domain/model/access/sign-in-session.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { expiredSessionCookie, sessionCookie } from '../../pages/session-cookie.ts';
import { secretHeaders } from './secret-headers.ts';

export interface SignInOptions {
  /** True where browsers may send the cookie only over TLS. */
  readonly secureCookie: boolean;
  /** The public address, without a trailing slash. @param forwarded the origin that a trusted proxy forwarded */
  readonly base: (forwarded?: string) => string;
}

export function signInOperations(deps: AccessDeps, { secureCookie, base }: SignInOptions): Operation[] {
  return [
    operation({
      name: 'sign_in_sessions.create',
      method: 'POST',
      path: '/v1/auth/sessions',
      summary: 'Create a sign-in session for this credential.',
      description:
        'The session opens pages in a browser. Its token is returned only in this answer. A sign-in code is accepted as the bearer token, once.',
      permission: 'any_credential',
      acceptsCode: true,
      body: wire.newSignIn,
      answers: { 201: wire.createdSignIn },
      run: async (caller) => {
        const { session, accessToken, pageSecret } = await openSignIn(deps, caller);
        const lifetimeMs = Date.parse(session.expiresAt) - Date.parse(session.createdAt);
        const cookie = sessionCookie(pageSecret, Math.floor(lifetimeMs / 1000), secureCookie);
        return {
          status: 201,
          headers: { ...secretHeaders, 'set-cookie': cookie },
          body: { session_id: session.sessionId, access_token: accessToken, expires_at: session.expiresAt },
        };
      },
    }),
    operation({
      name: 'sign_in_codes.create',
      method: 'POST',
      path: '/v1/auth/sign-in-codes',
      summary: 'Create a one-time code that signs a browser in.',
      description:
        'The code creates one session within two minutes, with the permissions of this credential, and opens nothing else. The session ends no later than this credential.',
      permission: 'any_credential',
      body: wire.newSignInCode,
      answers: { 201: wire.createdSignInCode },
      run: async (caller, { context }) => {
        const { code, expiresAt } = await makeSignInCode(deps, caller);
        const url = `${base(context.view.forwardedOrigin)}/v1/monitor/#code=${code}`;
        return { status: 201, headers: secretHeaders, body: { code, url, expires_at: expiresAt } };
      },
    }),
    operation({
      name: 'sign_in_sessions.list',
      method: 'GET',
      path: '/v1/auth/sessions',
      summary: 'List active sign-in sessions, newest first.',
      description: 'Callers see their own sessions. Admins see those of all users with all=true.',
      permission: 'any_credential',
      query: wire.signInQuery,
      answers: { 200: wire.signInPage },
      run: async (caller, { query }) => {
        const { items, next } = await listSignIns(deps, caller, query.all, parsePage(query, 'uuid'));
        const sessions = items.map((session) => signInToWire(session, caller));
        return { status: 200, body: { sessions, next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'sign_in_sessions.end',
      method: 'DELETE',
      path: '/v1/auth/sessions/:id',
      summary: 'End a sign-in session.',
      description: 'Within a second every replica rejects it.',
      permission: 'any_credential',
      params: z.object({ id }),
      names: 'sign_in_session',
      answers: { 200: wire.signInAnswer },
      run: async (caller, { params }) => {
        const session = signInToWire(await endSignIn(deps, caller, params.id), caller);
        const cookie = session.current ? { headers: { 'set-cookie': expiredSessionCookie(secureCookie) } } : {};
        return { status: 200, body: { session }, ...cookie };
      },
    }),
  ];
}

function signInToWire(session: SignInSession, caller: Caller): wire.SignInSessionWire {
  return {
    session_id: session.sessionId,
    user_id: session.userId,
    name: session.name,
    created_by: session.createdBy,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    last_used_at: session.lastUsedAt,
    current: session.sessionId === caller.sessionId,
  };
}
