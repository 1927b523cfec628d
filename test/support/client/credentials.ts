// Small moves of the tests of credentials: make a key, open a session, call with a token, see the refusal.
import { expect } from 'vitest';
import type { TestService, ApiReply, TestUser } from '../service.ts';

export interface MadeKey {
  readonly id: string;
  readonly key: string;
}

export async function makeKey(
  service: TestService,
  as: TestUser,
  fields: Record<string, unknown> = {},
): Promise<MadeKey> {
  const reply = await service.call('POST', '/v1/auth/api-keys', { as, body: { name: 'a key', ...fields } });
  if (reply.status !== 201) throw new Error(`no key: ${JSON.stringify(reply.body)}`);
  return { id: reply.body.api_key.id, key: reply.body.key };
}

export interface MadeSession {
  readonly id: string;
  readonly token: string;
  readonly cookie: string;
}

export async function signIn(service: TestService, token: string): Promise<MadeSession> {
  const reply = await service.call('POST', '/v1/auth/sessions', { token, body: {} });
  if (reply.status !== 201) throw new Error(`no session: ${JSON.stringify(reply.body)}`);
  const cookie = (reply.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  return { id: reply.body.session_id, token: reply.body.access_token, cookie };
}

/** The answer of `GET /v1/auth/me` to a token. */
export function me(
  service: TestService,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<ApiReply> {
  return service.call('GET', '/v1/auth/me', { token, headers });
}

/** The one refusal of a credential: the same for every reason. */
export function expectUnauthenticated(reply: ApiReply): void {
  // The tool protocol names its clients the place to get a token, too. choices-7.
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
  service: TestService,
  userId: string,
  roles: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<MadeKey> {
  await putUser(service, userId, { roles });
  return makeKey(service, 'admin', { user_id: userId, ...fields });
}

export function userPath(userId: string): string {
  return `/v1/auth/users/${encodeURIComponent(userId)}`;
}

export async function putUser(service: TestService, userId: string, body: Record<string, unknown>): Promise<void> {
  const reply = await service.call('PUT', userPath(userId), { body });
  if (reply.status !== 200) throw new Error(`no user: ${JSON.stringify(reply.body)}`);
}
