// Rows of codebases (table `workspaces`) and of the workers that hold them. Row-level security limits them to the tenant; the
// statements have no condition for it.
import type { Codebase, CodebaseBinding, WorkspaceMode } from '../../../../domain/model/codebase.ts';
import type { CodebaseRows } from '../../../../domain/ports/store/store.ts';
import type { Scope } from './scope.ts';
import { isoTime } from '../../codec/task-json.ts';

interface CodebaseRow {
  readonly codebase_id: string;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly worker_id: string | null;
  readonly workspace_mode: WorkspaceMode;
  readonly created_by: string;
  readonly created_at: Date;
  readonly bindings: CodebaseBinding[];
}

const columns = `c.codebase_id, c.name, c.path, c.description, c.worker_id, c.workspace_mode, c.created_by, c.created_at,
  (select coalesce(jsonb_agg(jsonb_build_object('workerId', b.worker_id, 'path', b.path) order by b.worker_id), '[]')
   from codebase_bindings b where b.tenant_id = c.tenant_id and b.codebase_id = c.codebase_id) as bindings`;

/** As above, with the binding to $1 only: thousands of workers may hold a codebase, and each would get all bindings. */
const columnsOfOne = columns.replace(
  `b.codebase_id = c.codebase_id)`,
  `b.codebase_id = c.codebase_id and b.worker_id = $1)`,
);

export function codebaseRows(scope: Scope): CodebaseRows {
  return {
    async find(codebaseId) {
      const rows = await scope.query<CodebaseRow>(
        'codebase_find',
        `select ${columns} from workspaces c where c.codebase_id = $1`,
        [codebaseId],
      );
      return rows.map(codebaseOf)[0];
    },
    async boundTo(workerId, codebaseIds) {
      const rows = await scope.query<CodebaseRow>(
        'codebases_bound_to',
        `select ${columnsOfOne} from workspaces c where c.codebase_id = any ($2) order by array_position($2, c.codebase_id)`,
        [workerId, codebaseIds],
      );
      return rows.map(codebaseOf);
    },
    async findBound(workerId, path) {
      const rows = await scope.query<CodebaseRow>(
        'codebase_find_bound',
        `select ${columns} from workspaces c
         join codebase_bindings x on x.tenant_id = c.tenant_id and x.codebase_id = c.codebase_id
         where x.worker_id = $1 and x.path = $2 and c.codebase_id <> 'global'
         order by c.codebase_id limit 1`,
        [workerId, path],
      );
      return rows.map(codebaseOf)[0];
    },
    async list(page) {
      const rows = await scope.query<CodebaseRow>(
        'codebase_list',
        `select ${columns} from workspaces c where ($1::text is null or c.codebase_id < $1)
           and ($2::uuid is null or exists (select from codebase_bindings x where x.tenant_id = c.tenant_id
             and x.codebase_id = c.codebase_id and x.worker_id = $2))
         order by c.codebase_id desc limit $3`,
        [page.before ?? null, page.workerId ?? null, page.limit],
      );
      return rows.map(codebaseOf);
    },
    async create(codebase) {
      await scope.query(
        'codebase_create',
        `insert into workspaces (tenant_id, codebase_id, name, path, description, worker_id, workspace_mode, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (tenant_id, codebase_id) do nothing`,
        [
          scope.tenantId,
          codebase.codebaseId,
          codebase.name,
          codebase.path,
          codebase.description,
          codebase.workerId,
          codebase.workspaceMode,
          codebase.createdBy,
        ],
      );
    },
    async bind(codebaseId, workerId, path) {
      await scope.query(
        'codebase_bind',
        `insert into codebase_bindings (tenant_id, codebase_id, worker_id, path) values ($1, $2, $3, $4)
         on conflict (tenant_id, codebase_id, worker_id) do update set path = excluded.path`,
        [scope.tenantId, codebaseId, workerId, path],
      );
    },
    async setAffinity(codebaseId, workerId) {
      await scope.query('codebase_set_affinity', 'update workspaces set worker_id = $2 where codebase_id = $1', [
        codebaseId,
        workerId,
      ]);
    },
    async count() {
      const [row] = await scope.query<{ n: string }>('codebase_count', 'select count(*) as n from workspaces', []);
      return Number(row?.n ?? 0);
    },
    async remove(codebaseId) {
      await scope.query('codebase_remove', 'delete from workspaces where codebase_id = $1', [codebaseId]);
    },
  };
}

function codebaseOf(row: CodebaseRow): Codebase {
  return {
    codebaseId: row.codebase_id,
    name: row.name,
    path: row.path,
    description: row.description,
    workerId: row.worker_id,
    workspaceMode: row.workspace_mode,
    createdBy: row.created_by,
    createdAt: isoTime(row.created_at),
    bindings: row.bindings,
  };
}
