// The published matrix of roles, written down once more, beside the data of the service. choices-4.
import type { Role } from '../../../src/domain/model/access/permission.ts';

/** Cell by cell: what each column adds; `agent` stands alone. */
const published: [resource: string, viewer: string, editor: string, operator: string, admin: string, agent: string][] =
  [
    ['tasks', 'read', 'write execute', '', 'delete', 'read write execute'],
    ['codebases', 'read', 'write', '', 'delete', 'read write'],
    ['workers', 'read', '', 'write', 'delete', 'read write'],
    ['sessions', 'read', 'write', '', 'delete', 'read write'],
    ['automation', 'read', 'write', 'delete', '', ''],
    ['a2a', 'read', 'write', '', '', 'read write'],
    ['mcp', 'read', 'write', '', '', 'read write'],
    ['monitor', 'read', '', 'write', '', 'read'],
    ['ralph', 'read', 'write', '', 'delete', 'read write'],
    ['marketing', 'read', 'write', '', 'delete', 'read write'],
    ['cronjobs', 'read', 'write', '', 'delete', ''],
    ['okr', 'read', 'write', '', 'delete', ''],
    ['tools', 'read', 'execute', 'write', 'delete', 'read execute'],
    ['analytics', '', 'write', 'read', 'admin', 'write'],
    ['api_keys', '', 'read write delete', '', 'admin', ''],
    ['audit', '', '', 'read', 'write', ''],
    ['k8s', '', '', 'read', 'write', ''],
    ['tenants', '', '', '', 'read write delete', ''],
    ['users', '', '', '', 'read write delete', ''],
  ];

/** The permissions of a role, as published. */
export function publishedGrants(role: Role): ReadonlySet<string> {
  const ladder: Role[] = ['viewer', 'editor', 'operator', 'admin'];
  const granted = new Set<string>();
  for (const [resource, viewer, editor, operator, admin, agent] of published) {
    const cells = role === 'agent' ? [agent] : [viewer, editor, operator, admin].slice(0, ladder.indexOf(role) + 1);
    for (const cell of cells)
      for (const action of cell.split(' ')) if (action !== '') granted.add(`${resource}:${action}`);
  }
  return granted;
}

/** The permissions that scopes leave. */
export function narrowedTo(granted: ReadonlySet<string>, scopes: readonly string[]): ReadonlySet<string> {
  const left = [...granted].filter((permission) => {
    const [resource = ''] = permission.split(':');
    return scopes.some((scope) => scope === permission || scope === `${resource}:*`);
  });
  return new Set(left);
}
