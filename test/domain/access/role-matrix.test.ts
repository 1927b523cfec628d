// The published matrix of roles against the data and the request pipeline.
import type { Admission } from '../../../src/http/pipeline/admission.ts';
import { describe, expect, it } from 'vitest';
import { allPermissions, permissionsOf, roles, type Role } from '../../../src/domain/model/access/permission.ts';
import { openTestPipeline, requestWithToken } from '../../support/request-pipeline.ts';
import { publishedGrants } from '../../support/builders/role-matrix.ts';

describe('roles', () => {
  // [choices-4.15, choices-4.16, choices-4.17, choices-4.18, choices-4.19, choices-4.20, choices-4.21, choices-4.22]
  // [choices-4.23, choices-4.24, choices-4.25, choices-4.26, choices-4.27, choices-4.28, choices-4.29, choices-4.30]
  it.each(roles)('%s holds exactly what the matrix publishes [choices-4.13, core-5.6]', (role) => {
    expect(new Set(permissionsOf([role]))).toEqual(publishedGrants(role));
  });

  it('each role has all permissions of the roles below it, agent is not in the order [choices-4.13]', () => {
    const held = (role: Role): ReadonlySet<string> => permissionsOf([role]);
    expect(held('viewer').isSubsetOf(held('editor'))).toBe(true);
    expect(held('editor').isSubsetOf(held('operator'))).toBe(true);
    expect(held('operator').isSubsetOf(held('admin'))).toBe(true);
    expect(held('agent').isSubsetOf(held('editor'))).toBe(false);
  });

  it('scopes narrow and never add', () => {
    expect([...permissionsOf(['viewer'], ['tasks:*', 'tasks:write', 'users:delete'])]).toEqual(['tasks:read']);
    expect([...permissionsOf(['admin'], [])]).toEqual([]);
    expect(permissionsOf(['admin'], ['tasks:*']).size).toBe(4);
  });

  it('the pipeline admits what the role allows and refuses everything else by its permission [core-5.5, core-1.5.2, core-5.7]', async () => {
    const tokens = roles.map((role) => ({
      name: role,
      token: `t-${role}`,
      role,
      tenantId: 'default',
      credential: 'shared_token' as const,
    }));
    const pipeline = openTestPipeline(tokens);
    const called = { name: 'test', resource: '/', changes: false };
    for (const role of roles) {
      const admit = (): Promise<Admission> =>
        pipeline.authenticate(requestWithToken(`t-${role}`), { admission: undefined });
      for (const permission of allPermissions()) {
        const started = (await admit()).begin({ ...called, permission });
        if (publishedGrants(role).has(permission)) await (await started).succeeded();
        else
          await expect(started).rejects.toThrow(
            expect.objectContaining({ kind: 'forbidden', message: expect.stringContaining(permission) }),
          );
      }
      // [choices-4.14]
      const admission = await admit();
      await (await admission.begin({ ...called, permission: 'any_credential' })).succeeded();
    }
  });
});
