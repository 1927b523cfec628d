// Rows of sign-in sessions: a browser's session, opened with a bearer token.
import type { SignInSession } from '../../../../../domain/model/access/sign-in-session.ts';
import type { SignInSessionRows } from '../../../../../domain/ports/store/credential-rows.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';

interface SignInRow {
  readonly session_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date | null;
}

const columns = 'session_id, user_id, name, created_by, created_at, expires_at, last_used_at';

export function signInRows(scope: Scope): SignInSessionRows {
  return {
    async find(sessionId) {
      const rows = await scope.query<SignInRow>(
        'sign_in_find',
        `select ${columns} from sign_in_sessions where session_id = $1 and expires_at > now()`,
        [sessionId],
      );
      return rows.map(signInOf)[0];
    },
    async findOrigin(sessionId) {
      const rows = await scope.query<{ key_id: string | null; ancestors: string[] }>(
        'sign_in_origin',
        'select key_id, ancestors from sign_in_sessions where session_id = $1',
        [sessionId],
      );
      return { keyId: rows[0]?.key_id ?? null, ancestors: rows[0]?.ancestors ?? [] };
    },
    async list(page) {
      const rows = await scope.query<SignInRow>(
        'sign_in_list',
        `select ${columns} from sign_in_sessions where ($1::text is null or user_id = $1)
           and ($2::uuid is null or session_id < $2) and expires_at > now()
         order by session_id desc limit $3`,
        [page.userId ?? null, page.before ?? null, page.limit],
      );
      return rows.map(signInOf);
    },
    async create(session) {
      // least() ignores nulls: only existing limits count.
      const rows = await scope.query<SignInRow>(
        'sign_in_create',
        `insert into sign_in_sessions
           (tenant_id, session_id, user_id, name, hash, roles, scopes, created_by, key_id, token_mark, page_hash, page_mark,
            ancestors, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $13, $14, $15::uuid[], least(now() + make_interval(hours => $11),
           to_timestamp($12::float8 / 1000), (select expires_at from api_keys where key_id = $9),
           (select min(expires_at) from sign_in_sessions where session_id = any($15::uuid[]))))
         returning ${columns}`,
        [
          scope.tenantId,
          session.sessionId,
          session.userId,
          session.name,
          session.hash,
          [...session.roles],
          session.scopes === null ? null : [...session.scopes],
          session.issuer.credentialId,
          session.issuer.keyId,
          session.tokenMark,
          session.hours,
          session.issuer.notAfter,
          session.pageHash,
          session.pageMark,
          [...session.issuer.ancestors],
        ],
      );
      const [row] = rows;
      if (row === undefined) throw new Error('the statement that wrote a session returned no row');
      return signInOf(row);
    },
    async end(sessionId) {
      await scope.query(
        'sign_in_end',
        `with descendants as (
           delete from sign_in_sessions where ancestors @> array[$1::uuid] and ancestors <> '{}')
         delete from sign_in_sessions where session_id = $1`,
        [sessionId],
      );
    },
    async endAllOf(userId) {
      await scope.query(
        'sign_in_end_of',
        `with codes as (delete from sign_in_codes where user_id = $1)
         delete from sign_in_sessions where user_id = $1`,
        [userId],
      );
    },
    async dropExpired() {
      const rows = await scope.query(
        'sign_in_drop_over',
        `with codes as (delete from sign_in_codes where expires_at < now())
         delete from sign_in_sessions where expires_at < now() returning session_id`,
        [],
      );
      return rows.length;
    },
  };
}

function signInOf(row: SignInRow): SignInSession {
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    name: row.name,
    createdBy: row.created_by,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
  };
}
