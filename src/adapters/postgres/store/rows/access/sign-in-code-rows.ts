// Rows of one-time sign-in codes. No row has the code itself, and its SHA-256 is never returned.
import type { SignInCodeRows } from '../../../../../domain/ports/store/credential-rows.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';

interface UsedRow {
  readonly created_by: string;
  readonly key_id: string | null;
  readonly ancestors: string[];
  readonly not_after: Date | null;
}

export function signInCodeRows(scope: Scope): SignInCodeRows {
  return {
    async create(code) {
      // least() ignores nulls: only existing limits count.
      const rows = await scope.query<{ expires_at: Date }>(
        'sign_in_code_create',
        `with over as (delete from sign_in_codes where user_id = $3 and expires_at < now())
         insert into sign_in_codes (tenant_id, code_id, user_id, hash, roles, scopes, created_by, key_id,
           ancestors, token_mark, not_after, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::uuid[], $10, to_timestamp($11::float8 / 1000),
           least(now() + make_interval(secs => $12), to_timestamp($11::float8 / 1000),
             (select expires_at from api_keys where key_id = $8),
             (select min(expires_at) from sign_in_sessions where session_id = any($9::uuid[]))))
         returning expires_at`,
        [
          scope.tenantId,
          code.codeId,
          code.userId,
          code.hash,
          [...code.roles],
          code.scopes === null ? null : [...code.scopes],
          code.issuer.credentialId,
          code.issuer.keyId,
          [...code.issuer.ancestors],
          code.tokenMark,
          code.issuer.notAfter,
          code.seconds,
        ],
      );
      const [row] = rows;
      if (row === undefined) throw new Error('the statement that wrote a sign-in code returned no row');
      return { expiresAt: isoTime(row.expires_at) };
    },
    async use(codeId) {
      const rows = await scope.query<UsedRow>(
        'sign_in_code_use',
        `delete from sign_in_codes where code_id = $1 and expires_at > now()
         returning created_by, key_id, ancestors, not_after`,
        [codeId],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const notAfter = row.not_after === null ? null : row.not_after.getTime();
      return { credentialId: row.created_by, keyId: row.key_id, ancestors: row.ancestors, notAfter };
    },
  };
}
