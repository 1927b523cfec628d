// Operations on access: the caller, the access configuration, and the tables of keys, sessions, users and tenants.
import { authStatus, me, permissionMatrix, type AuthStatusWire } from '../../../contracts/auth.ts';
import type { AccessDeps } from '../../../domain/access/deps.ts';
import { findOwnSession } from '../../../domain/access/sign-in/sign-ins.ts';
import { permissionsOf, roles as allRoles } from '../../../domain/model/access/permission.ts';
import type { TenantRegistry } from '../../../domain/ports/store/credentials.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { apiKeyOperations } from './auth-keys.ts';
import { signInOperations, type SignInOptions } from './auth-sessions.ts';
import { tenantOperations } from './auth-tenants.ts';
import { userOperations } from './auth-users.ts';

export interface AuthOptions extends SignInOptions {
  readonly register: TenantRegistry;
  readonly status: AuthStatusWire;
}

export function authOperations(deps: AccessDeps, options: AuthOptions): Operation[] {
  return [
    operation({
      name: 'auth.me',
      method: 'GET',
      path: '/v1/auth/me',
      summary: 'Get the identity of this credential.',
      permission: 'any_credential',
      answers: { 200: me },
      run: async (caller) => {
        const { subject, name, tenantId, roles, scopes, credential } = caller;
        const session = await findOwnSession(deps, caller);
        const body = {
          subject,
          name,
          tenant_id: tenantId,
          roles: [...roles],
          scopes: scopes ?? null,
          credential,
          permissions: [...permissionsOf(roles, scopes)],
          session: session === undefined ? null : { id: session.sessionId, expires_at: session.expiresAt },
        };
        return { status: 200, body };
      },
    }),
    operation({
      name: 'auth.permissions',
      method: 'GET',
      path: '/v1/auth/permissions',
      summary: 'Get the permissions of each role.',
      permission: 'any_credential',
      answers: { 200: permissionMatrix },
      run: () => {
        const matrix = Object.fromEntries(allRoles.map((role) => [role, [...permissionsOf([role])]]));
        return Promise.resolve({ status: 200, body: { roles: matrix } });
      },
    }),
    operation({
      name: 'auth.status',
      method: 'GET',
      path: '/v1/auth/status',
      summary: 'Get the access configuration: credential kinds, policy, row-level security.',
      permission: 'any_credential',
      answers: { 200: authStatus },
      run: () => Promise.resolve({ status: 200, body: options.status }),
    }),
    ...apiKeyOperations(deps),
    ...signInOperations(deps, options),
    ...userOperations(deps),
    ...tenantOperations(options.register),
  ];
}
