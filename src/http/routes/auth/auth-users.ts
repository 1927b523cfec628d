// Operations on users, for admins. choices-4.
import { z } from 'zod';
import * as wire from '../../../contracts/auth.ts';
import type { AccessDeps } from '../../../domain/access/deps.ts';
import { getUser, listUsers, putUser, removeUser } from '../../../domain/access/users.ts';
import type { User } from '../../../domain/model/access/user.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';

const byId = { params: z.object({ id: wire.userId }), names: 'user' as const };

export function userOperations(deps: AccessDeps): Operation[] {
  return [
    operation({
      name: 'users.list',
      method: 'GET',
      path: '/v1/auth/users',
      summary: 'List users, by id.',
      permission: 'users:read',
      query: wire.authPageQuery,
      answers: { 200: wire.userPage },
      run: async (caller, { query }) => {
        const { items, next } = await listUsers(deps, caller, parsePage(query, 'text'));
        return { status: 200, body: { users: items.map(userToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'users.get',
      method: 'GET',
      path: '/v1/auth/users/:id',
      summary: 'Get a user.',
      permission: 'users:read',
      ...byId,
      answers: { 200: wire.userAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { user: userToWire(await getUser(deps, caller, params.id)) },
      }),
    }),
    operation({
      name: 'users.put',
      method: 'PUT',
      path: '/v1/auth/users/:id',
      summary: 'Create or update a user: name, roles, status.',
      description: 'Changes apply to existing keys and sessions immediately.',
      permission: 'users:write',
      ...byId,
      body: wire.userChange,
      answers: { 200: wire.userAnswer },
      run: async (caller, { params, body: { name, roles, status } }) => ({
        status: 200,
        body: { user: userToWire(await putUser(deps, caller, params.id, { name, roles, status })) },
      }),
    }),
    operation({
      name: 'users.delete',
      method: 'DELETE',
      path: '/v1/auth/users/:id',
      summary: 'Delete a user, with its keys and sessions.',
      permission: 'users:delete',
      ...byId,
      answers: { 200: wire.userAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { user: userToWire(await removeUser(deps, caller, params.id)) },
      }),
    }),
  ];
}

function userToWire(user: User): wire.UserWire {
  return {
    user_id: user.userId,
    name: user.name,
    roles: [...user.roles],
    status: user.status,
    source: user.source,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
