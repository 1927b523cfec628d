// A credential can read its own permissions, and those of each role.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPermissions, permissionsOf, roles } from '../../../../src/domain/model/access/permission.ts';
import { makeKey, me, signIn } from '../../../support/client/credentials.ts';
import { openService, type TestService } from '../../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('GET /v1/auth/me', () => {
  it('names the permissions of the roles within the scopes, and no session of a token or key [ui-6.9.1]', async () => {
    const viewer = await me(service, service.token('viewer'));
    expect(viewer.body).toMatchObject({ permissions: [...permissionsOf(['viewer'])], session: null });
    const { key } = await makeKey(service, 'editor', { scopes: ['tasks:read', 'a2a:*'] });
    const narrowed = await me(service, key);
    expect(narrowed.body.session).toBeNull();
    expect(narrowed.body.permissions.toSorted()).toEqual(['a2a:read', 'a2a:write', 'tasks:read']);
  });

  it('names the session with its expiry, also of an admin who works in another tenant [ui-6.9.1]', async () => {
    const session = await signIn(service, service.token('admin'));
    const own = await me(service, session.token);
    expect(own.body.session).toEqual({ id: session.id, expires_at: expect.any(String) });
    expect(Date.parse(own.body.session.expires_at)).toBeGreaterThan(Date.now());
    const elsewhere = await me(service, session.token, { 'x-tenant-id': 'other' });
    expect(elsewhere.body).toMatchObject({ tenant_id: 'other', session: own.body.session });
  });
});

it('GET /v1/auth/permissions has the matrix of all roles, for any credential [ui-6.9.2]', async () => {
  const { body } = await service.call('GET', '/v1/auth/permissions', { as: 'viewer' });
  expect(Object.keys(body.roles).toSorted()).toEqual([...roles].toSorted());
  expect(body.roles.admin.toSorted()).toEqual(allPermissions().toSorted());
  for (const role of roles) expect(body.roles[role]).toEqual([...permissionsOf([role])]);
  expect(await service.call('GET', '/v1/auth/permissions', { token: null })).toMatchObject({ status: 401 });
});

it('GET /v1/automation/models lists the configured models [ui-6.9.3]', async () => {
  const { body } = await service.call('GET', '/v1/automation/models', { as: 'viewer' });
  expect(body).toEqual({ models: service.config.models.map((id) => ({ id })) });
});
