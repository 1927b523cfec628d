// Operations on API keys. core-5.4, choices-4.
import { z } from 'zod';
import * as wire from '../../../contracts/auth.ts';
import { id } from '../../../contracts/common.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../domain/access/api-keys.ts';
import type { AccessDeps } from '../../../domain/access/deps.ts';
import type { ApiKey } from '../../../domain/model/access/api-key.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';
import { secretHeaders } from './secret-headers.ts';

export function apiKeyOperations(deps: AccessDeps): Operation[] {
  return [
    operation({
      name: 'api_keys.create',
      method: 'POST',
      path: '/v1/auth/api-keys',
      summary: 'Create an API key.',
      description: 'The key is returned only in this answer.',
      permission: 'api_keys:write',
      body: wire.newApiKey,
      answers: { 201: wire.createdApiKey },
      run: async (caller, { body }) => {
        const { name, scopes, expires_in_days: expiresInDays, user_id: userId } = body;
        const { apiKey, key } = await createApiKey(deps, caller, { name, scopes, expiresInDays, userId });
        return { status: 201, headers: secretHeaders, body: { api_key: apiKeyToWire(apiKey), key } };
      },
    }),
    operation({
      name: 'api_keys.list',
      method: 'GET',
      path: '/v1/auth/api-keys',
      summary: 'List API keys, newest first.',
      description: 'Callers see their own keys. Admins may list the keys of a user, or all keys.',
      permission: 'api_keys:read',
      query: wire.apiKeyQuery,
      answers: { 200: wire.apiKeyPage },
      run: async (caller, { query }) => {
        const filter = { userId: query.user_id, all: query.all };
        const { items, next } = await listApiKeys(deps, caller, filter, parsePage(query, 'uuid'));
        return { status: 200, body: { api_keys: items.map(apiKeyToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'api_keys.revoke',
      method: 'DELETE',
      path: '/v1/auth/api-keys/:id',
      summary: 'Revoke an API key.',
      description: 'Within a second every replica rejects the key and the sessions created with it.',
      permission: 'api_keys:delete',
      params: z.object({ id }),
      names: 'api_key',
      answers: { 200: wire.apiKeyAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { api_key: apiKeyToWire(await revokeApiKey(deps, caller, params.id)) },
      }),
    }),
  ];
}

function apiKeyToWire(apiKey: ApiKey): wire.ApiKeyWire {
  return {
    id: apiKey.keyId,
    name: apiKey.name,
    prefix: apiKey.prefix,
    scopes: [...apiKey.scopes],
    user_id: apiKey.userId,
    created_by: apiKey.createdBy,
    created_at: apiKey.createdAt,
    expires_at: apiKey.expiresAt,
    last_used_at: apiKey.lastUsedAt,
    revoked_at: apiKey.revokedAt,
  };
}
