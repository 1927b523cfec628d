// Rows of users. Row-level security limits them to the tenant; the statements have no condition for it.
import type { Role } from '../../../../../domain/model/access/permission.ts';
import type { User, UserStatus } from '../../../../../domain/model/access/user.ts';
import type { UserRows } from '../../../../../domain/ports/store/credential-rows.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';

interface UserRow {
  readonly user_id: string;
  readonly name: string;
  readonly roles: Role[];
  readonly status: UserStatus;
  readonly source: 'admin' | 'provider';
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = 'user_id, name, roles, status, source, created_at, updated_at';

export function userRows(scope: Scope): UserRows {
  return {
    async find(userId) {
      const rows = await scope.query<UserRow>('user_find', `select ${columns} from users where user_id = $1`, [userId]);
      return rows.map(userOf)[0];
    },
    async findAndLock(userId) {
      const rows = await scope.query<UserRow>(
        'user_hold',
        `select ${columns} from users where user_id = $1 for share`,
        [userId],
      );
      return rows.map(userOf)[0];
    },
    async list(page) {
      const rows = await scope.query<UserRow>(
        'user_list',
        `select ${columns} from users where ($1::text is null or user_id > $1) order by user_id limit $2`,
        [page.before ?? null, page.limit],
      );
      return rows.map(userOf);
    },
    async put(userId, { name, roles, status }) {
      const rows = await scope.query<UserRow>(
        'user_put',
        `insert into users as u (tenant_id, user_id, name, roles, status, source)
         values ($1, $2, coalesce($3::text, $2), coalesce($4::text[], '{}'), coalesce($5::text, 'active'), 'admin')
         on conflict (tenant_id, user_id) do update set updated_at = now(),
           name = coalesce($3, u.name), roles = coalesce($4, u.roles), status = coalesce($5, u.status)
         returning ${columns}`,
        [scope.tenantId, userId, name ?? null, roles === undefined ? null : [...roles], status ?? null],
      );
      return theOne(rows);
    },
    async upsertProvided(userId, name, roles) {
      const rows = await scope.query<UserRow>(
        'user_upsert_provided',
        `insert into users as u (tenant_id, user_id, name, roles, source) values ($1, $2, $3, $4, 'provider')
         on conflict (tenant_id, user_id) do update
           set updated_at = now(), name = excluded.name, roles = excluded.roles, source = 'provider'
         returning ${columns}`,
        [scope.tenantId, userId, name, [...roles]],
      );
      return theOne(rows);
    },
    async remove(userId) {
      await scope.query('user_remove', 'delete from users where user_id = $1', [userId]);
    },
  };
}

function theOne(rows: readonly UserRow[]): User {
  const [row] = rows;
  if (row === undefined) throw new Error('the statement that wrote a user returned no row');
  return userOf(row);
}

function userOf(row: UserRow): User {
  return {
    userId: row.user_id,
    name: row.name,
    roles: row.roles,
    status: row.status,
    source: row.source,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
