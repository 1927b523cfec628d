// Cross-tenant queries of credentials: a key or a session is found by its hash before its tenant is known. Each query
// returns the record of one credential, never a list. Also the register of tenants, which belongs to no tenant.
import type pg from 'pg';
import type { Role } from '../../../domain/model/access/permission.ts';
import type { Tenant } from '../../../domain/model/access/tenant.ts';
import type { UserStatus } from '../../../domain/model/access/user.ts';
import type {
  Credentials,
  OwnerRecord,
  SessionRecord,
  TenantRegistry,
} from '../../../domain/ports/store/credentials.ts';
import { asAdmin } from './as-admin.ts';
import { intentToJson } from '../codec/audit-intents.ts';
import { isoTime } from '../codec/task-json.ts';

interface OwnedRow {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly owner_name: string | null;
  readonly owner_roles: Role[] | null;
  readonly owner_status: UserStatus | null;
  /** The greatest `float8`. */
  readonly left_ms: number | null;
}

interface UsableRow extends OwnedRow {
  readonly use_is_old: boolean;
}

interface CodeRow extends OwnedRow {
  readonly code_id: string;
  readonly roles: Role[];
  readonly scopes: string[] | null;
  readonly token_mark: string | null;
}

interface KeyRow extends UsableRow {
  readonly key_id: string;
  readonly scopes: string[];
}

interface SessionRow extends UsableRow {
  readonly session_id: string;
  readonly roles: Role[];
  readonly scopes: string[] | null;
  readonly token_mark: string | null;
}

/** Milliseconds that authentication waits for a query: a database that hangs counts as unreachable. */
const queryTimeoutMs = 3_000;

/** Columns of `x`, a key or session, and of `u`, its owner's row. */
const ownerColumns = `x.tenant_id, x.user_id, u.name as owner_name, u.roles as owner_roles, u.status as owner_status,
  extract(epoch from x.expires_at - clock_timestamp())::float8 * 1000 as left_ms,
  coalesce(x.last_used_at < now() - interval '1 minute', true) as use_is_old`;

export function postgresCredentials(pool: pg.Pool): Credentials {
  return {
    async findKey(hash) {
      const rows = await asAdmin<KeyRow>(
        pool,
        `select ${ownerColumns}, x.key_id, x.scopes from api_keys x
         left join users u on u.tenant_id = x.tenant_id and u.user_id = x.user_id
         where x.hash = $1 and x.revoked_at is null and (x.expires_at is null or x.expires_at > clock_timestamp())`,
        [hash],
        queryTimeoutMs,
      );
      return rows.map((row) => ({
        ...toOwnedRecord(row),
        isUseStale: row.use_is_old,
        keyId: row.key_id,
        scopes: row.scopes,
      }))[0];
    },
    findSession: (hash) => querySession(pool, hash, { hash: 'hash', mark: 'token_mark' }),
    findPageSession: (hash) => querySession(pool, hash, { hash: 'page_hash', mark: 'page_mark' }),
    async findCode(hash) {
      const rows = await asAdmin<CodeRow>(
        pool,
        `select x.tenant_id, x.user_id, u.name as owner_name, u.roles as owner_roles, u.status as owner_status,
           extract(epoch from x.expires_at - clock_timestamp())::float8 * 1000 as left_ms,
           x.code_id, x.roles, x.scopes, x.token_mark from sign_in_codes x
         left join users u on u.tenant_id = x.tenant_id and u.user_id = x.user_id
         ${activeKeyJoin}
         where x.hash = $1 and x.expires_at > clock_timestamp() and ${activeKey}
           and ${ancestorsExist}`,
        [hash],
        queryTimeoutMs,
      );
      return rows.map((row) => ({
        ...toOwnedRecord(row),
        codeId: row.code_id,
        roles: row.roles,
        scopes: row.scopes,
        tokenMark: row.token_mark,
      }))[0];
    },
    async used(credentials) {
      for (const [kind, table, column] of tables) {
        const some = credentials.filter((credential) => credential.kind === kind);
        if (some.length === 0) continue;
        // In id order, so that the updates of two replicas do not deadlock.
        await asAdmin(
          pool,
          `with held as (
             select x.tenant_id, x.${column} from ${table} x
             join unnest($1::text[], $2::uuid[]) as used(tenant_id, id)
               on x.tenant_id = used.tenant_id and x.${column} = used.id
             where coalesce(x.last_used_at < now() - interval '1 minute', true)
             order by x.tenant_id, x.${column} for no key update of x skip locked)
           update ${table} x set last_used_at = now() from held
           where x.tenant_id = held.tenant_id and x.${column} = held.${column}`,
          [some.map(({ tenantId }) => tenantId), some.map(({ id }) => id)],
        );
      }
    },
  };
}

/** The API key that created `x`, if one did, is active. */
const activeKeyJoin = 'left join api_keys k on k.tenant_id = x.tenant_id and k.key_id = x.key_id';
const activeKey = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())';

/** Every session that led to `x` is there: one that ended takes along what was made by its codes meanwhile, too. */
const ancestorsExist = `not exists (select from unnest(x.ancestors) as a(id) where not exists (
  select from sign_in_sessions s where s.tenant_id = x.tenant_id and s.session_id = a.id))`;

/** @param columns those of the secret by which the session is found */
async function querySession(
  pool: pg.Pool,
  hash: Buffer,
  columns: { readonly hash: 'hash' | 'page_hash'; readonly mark: 'token_mark' | 'page_mark' },
): Promise<SessionRecord | undefined> {
  const rows = await asAdmin<SessionRow>(
    pool,
    `select ${ownerColumns}, x.session_id, x.roles, x.scopes, x.${columns.mark} as token_mark from sign_in_sessions x
     left join users u on u.tenant_id = x.tenant_id and u.user_id = x.user_id
     ${activeKeyJoin}
     where x.${columns.hash} = $1 and x.expires_at > clock_timestamp() and ${activeKey}
       and ${ancestorsExist}`,
    [hash],
    queryTimeoutMs,
  );
  return rows.map((row) => ({
    ...toOwnedRecord(row),
    isUseStale: row.use_is_old,
    sessionId: row.session_id,
    roles: row.roles,
    scopes: row.scopes,
    tokenMark: row.token_mark,
  }))[0];
}

const tables = [
  ['key', 'api_keys', 'key_id'],
  ['session', 'sign_in_sessions', 'session_id'],
] as const;

function toOwnedRecord(row: OwnedRow): {
  tenantId: string;
  userId: string;
  owner: OwnerRecord | null;
  remainingMs: number | null;
} {
  const { owner_name: name, owner_roles: roles, owner_status: status } = row;
  return {
    tenantId: row.tenant_id,
    userId: row.user_id,
    owner: name === null || roles === null || status === null ? null : { name, roles, status },
    remainingMs: row.left_ms,
  };
}

interface TenantRow {
  readonly tenant_id: string;
  readonly name: string;
  readonly created_at: Date;
}

export function postgresTenantRegister(pool: pg.Pool): TenantRegistry {
  return {
    async list(page) {
      const rows = await asAdmin<TenantRow>(
        pool,
        `select tenant_id, name, created_at from tenants where ($1::text is null or tenant_id > $1)
         order by tenant_id limit $2`,
        [page.before ?? null, page.limit],
      );
      return rows.map(tenantOf);
    },
    async create({ tenantId, name }, intent) {
      intent?.trace.rows.push({ tenantId: intent.tenantId, id: intent.id, pending: 1 });
      // As within a tenant: the audit intent is committed with its change.
      const rows = await asAdmin<TenantRow>(
        pool,
        `with made as (
           insert into tenants (tenant_id, name) values ($1, $2) on conflict do nothing
           returning tenant_id, name, created_at),
         kept as (
           insert into audit_intents (tenant_id, id, replica_id, entries)
           select $3::text, $4::uuid, $5::text, $6::json from made where $4 is not null on conflict do nothing)
         select * from made`,
        [
          tenantId,
          name,
          intent?.tenantId ?? null,
          intent?.id ?? null,
          intent?.chain ?? null,
          intent === undefined ? null : JSON.stringify([intentToJson(intent)]),
        ],
      );
      return rows.map(tenantOf)[0];
    },
  };
}

function tenantOf(row: TenantRow): Tenant {
  return { tenantId: row.tenant_id, name: row.name, createdAt: isoTime(row.created_at) };
}
