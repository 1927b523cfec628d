// Rows of the codebases that callers have selected. Row-level security limits them to the tenant; the statements have no condition for it.
import type { ActiveCodebaseRows } from '../../../../domain/ports/store/agents.ts';
import type { Scope } from './scope.ts';

export function activeCodebaseRows(scope: Scope): ActiveCodebaseRows {
  return {
    async find(subject) {
      const rows = await scope.query<{ codebase_id: string }>(
        'active_codebase_find',
        'select codebase_id from active_codebases where subject = $1',
        [subject],
      );
      return rows[0]?.codebase_id;
    },
    async set(subject, codebaseId) {
      await scope.query(
        'active_codebase_set',
        `insert into active_codebases (tenant_id, subject, codebase_id) values ($1, $2, $3)
         on conflict (tenant_id, subject) do update set codebase_id = excluded.codebase_id, set_at = now()`,
        [scope.tenantId, subject, codebaseId],
      );
    },
  };
}
