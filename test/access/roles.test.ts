// The published matrix of roles, written down here once more, against what the data says and the hallway does.
import { describe, expect, it } from 'vitest';
import { allPermissions, permissionsOf, roles, type Role } from '../../src/domain/model/permission.ts';
import { hallwayFor, knockWith } from '../support/hallway.ts';

/** choices §4, cell by cell: what each column adds; `agent` stands alone. */
const published: [resource: string, viewer: string, editor: string, operator: string, admin: string, agent: string][] =
  [
    ['tasks', 'read', 'write execute', '', 'delete', 'read write execute'], // [choices-4.15]
    ['codebases', 'read', 'write', '', 'delete', 'read write'], // [choices-4.16]
    ['workers', 'read', '', 'write', 'delete', 'read write'], // [choices-4.17]
    ['sessions', 'read', 'write', '', 'delete', 'read write'], // [choices-4.18]
    ['automation', 'read', 'write', 'delete', '', ''], // [choices-4.19]
    ['a2a', 'read', 'write', '', '', 'read write'], // [choices-4.20]
    ['mcp', 'read', 'write', '', '', 'read write'], // [choices-4.21]
    ['monitor', 'read', '', 'write', '', 'read'], // [choices-4.22]
    ['ralph', 'read', 'write', '', 'delete', 'read write'], // [choices-4.23]
    ['marketing', 'read', 'write', '', 'delete', 'read write'], // [choices-4.24]
    ['cronjobs', 'read', 'write', '', 'delete', ''], // [choices-4.25]
    ['okr', 'read', 'write', '', 'delete', ''],
    ['tools', 'read', 'execute', 'write', 'delete', 'read execute'], // [choices-4.26]
    ['analytics', '', 'write', 'read', 'admin', 'write'], // [choices-4.27]
    ['api_keys', '', 'read write delete', '', 'admin', ''], // [choices-4.28]
    ['audit', '', '', 'read', 'write', ''], // [choices-4.29]
    ['k8s', '', '', 'read', 'write', ''],
    ['tenants', '', '', '', 'read write delete', ''], // [choices-4.30]
    ['users', '', '', '', 'read write delete', ''],
  ];

function expected(role: Role): Set<string> {
  const ladder: Role[] = ['viewer', 'editor', 'operator', 'admin'];
  const granted = new Set<string>();
  for (const [resource, viewer, editor, operator, admin, agent] of published) {
    const cells = role === 'agent' ? [agent] : [viewer, editor, operator, admin].slice(0, ladder.indexOf(role) + 1);
    for (const cell of cells)
      for (const action of cell.split(' ')) if (action !== '') granted.add(`${resource}:${action}`);
  }
  return granted;
}

describe('roles', () => {
  it.each(roles)('%s holds exactly what the matrix publishes [choices-4.13, core-5.6]', (role) => {
    expect(new Set(permissionsOf([role]))).toEqual(expected(role));
  });

  it('each role of the ladder holds all of the next one’s permissions, agent stands outside [choices-4.13]', () => {
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

  it('the hallway lets through what the role holds and refuses all else by name [core-5.5, core-1.5.2, core-5.7]', async () => {
    const tokens = roles.map((role) => ({
      name: role,
      token: `t-${role}`,
      role,
      tenantId: 'default',
      credential: 'shared_token' as const,
    }));
    const hallway = hallwayFor(tokens);
    const called = { name: 'test', resource: '/', changes: false };
    for (const role of roles) {
      const caller = await hallway.enter(knockWith(`t-${role}`));
      for (const permission of allPermissions()) {
        const ask = hallway.begin(caller, knockWith(''), { ...called, permission });
        if (expected(role).has(permission)) await ask;
        else
          await expect(ask).rejects.toThrow(
            expect.objectContaining({ kind: 'forbidden', message: expect.stringContaining(permission) }),
          );
      }
      // [choices-4.14]
      await hallway.begin(caller, knockWith(''), { ...called, permission: 'any_credential' });
    }
  });
});
