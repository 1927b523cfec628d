// Rows of objectives and their key results. Row-level security limits them to the tenant.
import type { KeyResult, Okr, OkrView } from '../../../../../domain/model/okr/okr.ts';
import type { OkrRows } from '../../../../../domain/ports/store/okr/okrs.ts';
import { columnNames, objectOf, toColumns, type RecordColumns } from '../../../codec/run-columns.ts';
import { likeLiteral } from '../like-literal.ts';
import type { Scope } from '../scope.ts';

const okrColumns: RecordColumns<Okr> = {
  okrId: 'plain',
  objective: 'plain',
  description: 'plain',
  status: 'plain',
  owner: 'plain',
  targetDate: 'plain',
  tags: 'plain',
  taskTemplate: 'plain',
  decidedBy: 'plain',
  decidedAt: 'time',
  decisionReason: 'plain',
  createdBy: 'plain',
  createdAt: 'time',
  updatedAt: 'time',
  version: 'plain',
};
const keyResultColumns: RecordColumns<KeyResult> = {
  okrId: 'plain',
  keyResultId: 'plain',
  title: 'plain',
  position: 'plain',
  weight: 'plain',
  measure: 'plain',
  current: 'plain',
  progress: 'plain',
  status: 'plain',
  statusReason: 'plain',
  updatedAt: 'time',
};
const { okrId, objective, description, owner, targetDate, tags, taskTemplate, createdBy } = okrColumns;
const insertedOkr = columnNames({ okrId, objective, description, owner, targetDate, tags, taskTemplate, createdBy });
const { updatedAt: _u, ...insertedKeyResult } = keyResultColumns;
const insertedKeyResultColumns = columnNames(insertedKeyResult);

const keyResults = `(select coalesce(json_agg(${objectOf(keyResultColumns, 'k')} order by k.position, k.key_result_id), '[]')
  from okr_key_results k where k.tenant_id = o.tenant_id and k.okr_id = o.okr_id)`;
const openRun = `(select r.run_id from okr_runs r where r.tenant_id = o.tenant_id and r.okr_id = o.okr_id
  and r.status in ('pending', 'running'))`;
const view = objectOf({ ...okrColumns, keyResults: 'plain', openRunId: 'plain' }, 'o', {
  keyResults,
  openRunId: openRun,
});

export function okrRows(scope: Scope): OkrRows {
  return { ...objectives(scope), ...keyResultRows(scope) };
}

type Objectives = Omit<OkrRows, 'addKeyResult' | 'updateKeyResult' | 'deleteKeyResult'>;

function objectives(scope: Scope): Objectives {
  const find: OkrRows['find'] = async (id) => {
    const [row] = await scope.query<{ okr: OkrView }>(
      'okr_find',
      `select ${view} as okr from okrs o where o.tenant_id = $1 and o.okr_id = $2`,
      [scope.tenantId, id],
    );
    return row?.okr;
  };
  return {
    find,
    async insert(okr) {
      await scope.query(
        'okr_insert',
        `insert into okrs (tenant_id, ${insertedOkr})
         select $1, ${insertedOkr} from jsonb_populate_record(null::okrs, $2)`,
        [scope.tenantId, toColumns({ ...okr })],
      );
    },
    async lock(id) {
      // In a statement of its own: the one after it sees what the holder before changed.
      await scope.query('okr_lock', 'select from okrs where tenant_id = $1 and okr_id = $2 for update', [
        scope.tenantId,
        id,
      ]);
      return find(id);
    },
    async list({ status, owner: wantedOwner, text }, { limit, before }) {
      const rows = await scope.query<{ okr: OkrView }>(
        'okr_list',
        `select ${view} as okr from okrs o where o.tenant_id = $1 and ($2::text is null or o.status = $2)
           and ($3::text is null or o.owner = $3) and ($4::text is null or o.objective ilike $4)
           and ($5::uuid is null or o.okr_id < $5)
         order by o.okr_id desc limit $6`,
        [
          scope.tenantId,
          status ?? null,
          wantedOwner ?? null,
          text === undefined ? null : `%${likeLiteral(text)}%`,
          before ?? null,
          limit,
        ],
      );
      return rows.map(({ okr }) => okr);
    },
    async countByStatus() {
      const rows = await scope.query<{ status: Okr['status']; n: number }>(
        'okr_count',
        'select status, count(*)::integer as n from okrs where tenant_id = $1 group by status',
        [scope.tenantId],
      );
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },
    async update(id, { decision, ...change }) {
      const names = columnNames(okrColumns);
      await scope.query(
        'okr_update',
        `update okrs o set (${names}) = (
           select ${columnNames(okrColumns, 'p.')} from jsonb_populate_record(o, $3::jsonb || jsonb_build_object(
             'version', o.version + 1, 'updated_at', clock_timestamp(),
             'decided_at', case when $4 then clock_timestamp() else o.decided_at end)) p)
         where o.tenant_id = $1 and o.okr_id = $2`,
        [scope.tenantId, id, toColumns({ ...change, ...decision }), decision !== undefined],
      );
    },
    async delete(id) {
      await scope.query('okr_delete', 'delete from okrs where tenant_id = $1 and okr_id = $2', [scope.tenantId, id]);
    },
  };
}

type KeyResults = Pick<OkrRows, 'addKeyResult' | 'updateKeyResult' | 'deleteKeyResult'>;

function keyResultRows(scope: Scope): KeyResults {
  const touch = async (id: string): Promise<void> => {
    await scope.query(
      'okr_touch',
      'update okrs set updated_at = clock_timestamp() where tenant_id = $1 and okr_id = $2',
      [scope.tenantId, id],
    );
  };
  return {
    async addKeyResult(keyResult) {
      await scope.query(
        'okr_key_result_insert',
        `insert into okr_key_results (tenant_id, ${insertedKeyResultColumns})
         select $1, ${insertedKeyResultColumns} from jsonb_populate_record(null::okr_key_results, $2)`,
        [scope.tenantId, toColumns({ ...keyResult })],
      );
      await touch(keyResult.okrId);
    },
    async updateKeyResult(id, change) {
      const names = columnNames(keyResultColumns);
      await scope.query(
        'okr_key_result_update',
        `update okr_key_results k set (${names}) = (
           select ${columnNames(keyResultColumns, 'p.')} from jsonb_populate_record(k, $4::jsonb || jsonb_build_object(
             'updated_at', clock_timestamp())) p)
         where k.tenant_id = $1 and k.okr_id = $2 and k.key_result_id = $3`,
        [scope.tenantId, id.okrId, id.keyResultId, toColumns({ ...change })],
      );
      await touch(id.okrId);
    },
    async deleteKeyResult(id) {
      await scope.query(
        'okr_key_result_delete',
        'delete from okr_key_results where tenant_id = $1 and okr_id = $2 and key_result_id = $3',
        [scope.tenantId, id.okrId, id.keyResultId],
      );
      await touch(id.okrId);
    },
  };
}
