// Roles and their permissions: the matrix of choices-4 as data, and the one rule over it.

export const roles = ['admin', 'operator', 'editor', 'viewer', 'agent'] as const;
export type Role = (typeof roles)[number];

const resources = {
  tasks: { viewer: 'read', editor: 'write execute', operator: '', admin: 'delete', agent: 'read write execute' },
  codebases: { viewer: 'read', editor: 'write', operator: '', admin: 'delete', agent: 'read write' },
  workers: { viewer: 'read', editor: '', operator: 'write', admin: 'delete', agent: 'read write' },
  sessions: { viewer: 'read', editor: 'write', operator: '', admin: 'delete', agent: 'read write' },
  automation: { viewer: 'read', editor: 'write', operator: 'delete', admin: '', agent: '' },
  a2a: { viewer: 'read', editor: 'write', operator: '', admin: '', agent: 'read write' },
  mcp: { viewer: 'read', editor: 'write', operator: '', admin: '', agent: 'read write' },
  monitor: { viewer: 'read', editor: '', operator: 'write', admin: '', agent: 'read' },
  ralph: { viewer: 'read', editor: 'write', operator: '', admin: 'delete', agent: 'read write' },
  marketing: { viewer: 'read', editor: 'write', operator: '', admin: 'delete', agent: 'read write' },
  cronjobs: { viewer: 'read', editor: 'write', operator: '', admin: 'delete', agent: '' },
  okr: { viewer: 'read', editor: 'write', operator: '', admin: 'delete', agent: '' },
  tools: { viewer: 'read', editor: 'execute', operator: 'write', admin: 'delete', agent: 'read execute' },
  analytics: { viewer: '', editor: 'write', operator: 'read', admin: 'admin', agent: 'write' },
  api_keys: { viewer: '', editor: 'read write delete', operator: '', admin: 'admin', agent: '' },
  audit: { viewer: '', editor: '', operator: 'read', admin: 'write', agent: '' },
  k8s: { viewer: '', editor: '', operator: 'read', admin: 'write', agent: '' },
  tenants: { viewer: '', editor: '', operator: '', admin: 'read write delete', agent: '' },
  users: { viewer: '', editor: '', operator: '', admin: 'read write delete', agent: '' },
} as const satisfies Record<string, Record<Role, string>>;

export type Resource = keyof typeof resources;
export type PermissionAction = 'read' | 'write' | 'execute' | 'delete' | 'admin';
export type Permission = `${Resource}:${PermissionAction}`;

/** Ordered: each role has all permissions of the roles before it. `agent` is not in the order. */
const ladder = ['viewer', 'editor', 'operator', 'admin'] as const;

/** Roles that may change what another subject owns: `operator` or higher. choices-4. */
export const rolesOverOthers: readonly Role[] = ['operator', 'admin'];

/** Roles that may act in another tenant; scopes must leave them the permission for it too. choices-4. */
export const rolesOverTenants: readonly Role[] = ['admin'];
export const tenantOverridePermission = 'tenants:read' satisfies Permission;

/** Every permission in the matrix, in its order. */
export function allPermissions(): Permission[] {
  return [...new Set(roles.flatMap((role) => [...permissionsOf([role])]))];
}

/** The permissions of a set of roles, narrowed by scopes where there are any; scopes never add. */
export function permissionsOf(held: readonly Role[], scopes?: readonly string[]): ReadonlySet<Permission> {
  const granted = new Set<Permission>();
  for (const role of held) {
    const columns = role === 'agent' ? (['agent'] as const) : ladder.slice(0, ladder.indexOf(role) + 1);
    for (const [resource, row] of entries(resources)) {
      for (const column of columns) {
        for (const action of actionsIn(row[column])) granted.add(`${resource}:${action}`);
      }
    }
  }
  if (scopes === undefined) return granted;
  const wanted = new Set(scopes);
  return new Set([...granted].filter((p) => wanted.has(p) || wanted.has(`${p.slice(0, p.indexOf(':'))}:*`)));
}

const actions: ReadonlySet<string> = new Set<PermissionAction>(['read', 'write', 'execute', 'delete', 'admin']);

function isAction(text: string): text is PermissionAction {
  return actions.has(text);
}

function actionsIn(text: string): PermissionAction[] {
  return text.split(' ').filter(isAction);
}

function entries(table: typeof resources): [Resource, Record<Role, string>][] {
  return Object.keys(table)
    .filter((key): key is Resource => key in table)
    .map((key) => [key, table[key]]);
}

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}
