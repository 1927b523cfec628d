// Small moves of the tests of credentials: make a key, open a session, call with a token, see the refusal.
import { expect } from 'vitest';
import type { House, Reply, Who } from '../house.ts';

export interface MadeKey {
  readonly id: string;
  readonly key: string;
}

export async function makeKey(house: House, as: Who, fields: Record<string, unknown> = {}): Promise<MadeKey> {
  const reply = await house.call('POST', '/v1/auth/api-keys', { as, body: { name: 'a key', ...fields } });
  if (reply.status !== 201) throw new Error(`no key: ${JSON.stringify(reply.body)}`);
  return { id: reply.body.api_key.id, key: reply.body.key };
}

export interface MadeSession {
  readonly id: string;
  readonly token: string;
  readonly cookie: string;
}

export async function signIn(house: House, token: string): Promise<MadeSession> {
  const reply = await house.call('POST', '/v1/auth/sessions', { token, body: {} });
  if (reply.status !== 201) throw new Error(`no session: ${JSON.stringify(reply.body)}`);
  const cookie = (reply.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  return { id: reply.body.session_id, token: reply.body.access_token, cookie };
}

/** What `GET /v1/auth/me` says of a token. */
export function me(house: House, token: string | null, headers: Record<string, string> = {}): Promise<Reply> {
  return house.call('GET', '/v1/auth/me', { token, headers });
}

/** The one refusal of a credential: the same for every reason. */
export function expectUnauthenticated(reply: Reply): void {
  // The tool protocol tells its clients where to get a token, too. choices §7.
  const { authorization_servers: _, resource_metadata: metadata = '/.well-known/oauth-', ...body } = reply.body;
  expect(metadata).toContain('/.well-known/oauth-');
  expect({ status: reply.status, ...body, request_id: '' }).toEqual({
    status: 401,
    type: 'urn:switchyard:problem:unauthenticated',
    title: 'Unauthorized',
    detail: 'A valid bearer token is needed: send the header "Authorization: Bearer <token>".',
    code: 'unauthenticated',
    request_id: '',
  });
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
}

/** A user that an admin made, with a key of its own. */
export async function userWithKey(
  house: House,
  userId: string,
  roles: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<MadeKey> {
  await putUser(house, userId, { roles });
  return makeKey(house, 'admin', { user_id: userId, ...fields });
}

export function userPath(userId: string): string {
  return `/v1/auth/users/${encodeURIComponent(userId)}`;
}

export async function putUser(house: House, userId: string, body: Record<string, unknown>): Promise<void> {
  const reply = await house.call('PUT', userPath(userId), { body });
  if (reply.status !== 200) throw new Error(`no user: ${JSON.stringify(reply.body)}`);
}
