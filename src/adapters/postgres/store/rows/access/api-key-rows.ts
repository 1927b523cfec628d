// Rows of API keys. No row has the key itself, and its SHA-256 is never returned.
import type { ApiKey } from '../../../../../domain/model/access/api-key.ts';
import type { ApiKeyRows } from '../../../../../domain/ports/store/credential-rows.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';

interface ApiKeyRow {
  readonly key_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: string[];
  readonly created_by: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

const columns = 'key_id, user_id, name, prefix, scopes, created_by, created_at, expires_at, last_used_at, revoked_at';

export function apiKeyRows(scope: Scope): ApiKeyRows {
  return {
    async find(keyId) {
      const rows = await scope.query<ApiKeyRow>('api_key_find', `select ${columns} from api_keys where key_id = $1`, [
        keyId,
      ]);
      return rows.map(apiKeyOf)[0];
    },
    async list(page) {
      const rows = await scope.query<ApiKeyRow>(
        'api_key_list',
        `select ${columns} from api_keys where ($1::text is null or user_id = $1) and ($2::uuid is null or key_id < $2)
         order by key_id desc limit $3`,
        [page.userId ?? null, page.before ?? null, page.limit],
      );
      return rows.map(apiKeyOf);
    },
    async create(key) {
      // least() ignores nulls: a key without any limit does not expire.
      const rows = await scope.query<ApiKeyRow>(
        'api_key_create',
        `insert into api_keys (tenant_id, key_id, user_id, name, prefix, hash, scopes, created_by, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8,
           least(now() + make_interval(days => $9), (select expires_at from api_keys where key_id = $10)))
         returning ${columns}`,
        [
          scope.tenantId,
          key.keyId,
          key.userId,
          key.name,
          key.prefix,
          key.hash,
          [...key.scopes],
          key.issuer.credentialId,
          key.expiresInDays,
          key.issuer.keyId,
        ],
      );
      const [row] = rows;
      if (row === undefined) throw new Error('the statement that wrote a key returned no row');
      return apiKeyOf(row);
    },
    async revoke(keyId) {
      await scope.query(
        'api_key_revoke',
        `with gone as (delete from sign_in_sessions where key_id = $1)
         update api_keys set revoked_at = now() where key_id = $1 and revoked_at is null`,
        [keyId],
      );
    },
    async revokeAllOf(userId) {
      await scope.query(
        'api_key_revoke_of',
        `update api_keys set revoked_at = now() where user_id = $1 and revoked_at is null`,
        [userId],
      );
    },
    async dropInactive(olderThanDays) {
      const rows = await scope.query(
        'api_key_drop_dead',
        `delete from api_keys where least(revoked_at, expires_at) < now() - make_interval(days => $1) returning key_id`,
        [olderThanDays],
      );
      return rows.length;
    },
  };
}

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    keyId: row.key_id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    createdBy: row.created_by,
    createdAt: isoTime(row.created_at),
    expiresAt: maybeTime(row.expires_at),
    lastUsedAt: maybeTime(row.last_used_at),
    revokedAt: maybeTime(row.revoked_at),
  };
}

function maybeTime(time: Date | null): string | null {
  return time === null ? null : isoTime(time);
}
