// Rows of the cluster manager. Only this program writes their JSON, so its shape is trusted.
import {
  emptyMemory,
  type ClusterMemory,
  type ReconcileReport,
  type Round,
} from '../../../../../domain/model/cluster/health.ts';
import type { ClusterRecord, ClusterRows } from '../../../../../domain/ports/cluster/cluster-rows.ts';
import { isoTime } from '../../../codec/task-json.ts';
import type { Scope } from '../scope.ts';

interface StatusRow {
  readonly now: number;
  readonly memory: Partial<ClusterMemory> | null;
  readonly at: Date | null;
  readonly replica: string | null;
  readonly report: ReconcileReport | null;
}

interface RoundRow extends Omit<Round, 'startedAt'> {
  readonly startedAt: number;
}

/** More rounds than these do not count: the longest pause between two is twelve intervals. */
const keptRounds = 50;

const statusColumns = `(extract(epoch from clock_timestamp()) * 1000)::float8 as now, s.memory, s.at, s.replica, s.report`;

export function clusterRows(scope: Scope): ClusterRows {
  const { tenantId } = scope;
  const rounds = (clusterId: string): Promise<RoundRow[]> =>
    scope.query<RoundRow>(
      'cluster_rounds',
      `select round as number, (extract(epoch from started_at) * 1000)::float8 as "startedAt", template_hash as "templateHash",
         attempt, cautious, actor, existing, pods, ended
       from cluster_rounds where tenant_id = $1 and cluster_id = $2 order by round desc limit ${keptRounds}`,
      [tenantId, clusterId],
    );
  const toRecord = async (clusterId: string, status: StatusRow | undefined): Promise<ClusterRecord> => ({
    now: Math.floor(status?.now ?? 0),
    memory: { ...emptyMemory, ...status?.memory },
    rounds: await rounds(clusterId),
    last:
      status?.report == null || status.at === null || status.replica === null
        ? null
        : { ...status.report, at: isoTime(status.at), replica: status.replica },
  });
  return {
    async read(clusterId) {
      const [status] = await scope.query<StatusRow>(
        'cluster_status',
        `select ${statusColumns} from (select) one left join cluster_status s on s.tenant_id = $1 and s.cluster_id = $2`,
        [tenantId, clusterId],
      );
      return toRecord(clusterId, status);
    },
    async lock(clusterId) {
      const [status] = await scope.query<StatusRow>(
        'cluster_lock',
        // The row is made where there is none, and locked in either case.
        `insert into cluster_status as s (tenant_id, cluster_id) values ($1, $2)
         on conflict (tenant_id, cluster_id) do update set seen_at = clock_timestamp() returning ${statusColumns}`,
        [tenantId, clusterId],
      );
      return toRecord(clusterId, status);
    },
    async saveMemory(clusterId, memory) {
      await scope.query(
        'cluster_memory',
        'update cluster_status set memory = $3 where tenant_id = $1 and cluster_id = $2',
        [tenantId, clusterId, JSON.stringify(memory)],
      );
    },
    async saveReport(clusterId, replica, report) {
      await scope.query(
        'cluster_report',
        `insert into cluster_status (tenant_id, cluster_id, at, replica, report)
         values ($1, $2, clock_timestamp(), $3, $4)
         on conflict (tenant_id, cluster_id) do update
         set at = excluded.at, replica = excluded.replica, report = excluded.report, seen_at = excluded.at`,
        [tenantId, clusterId, replica, JSON.stringify(report)],
      );
    },
    async beginRound(clusterId, round) {
      const rows = await scope.query(
        'cluster_round_begin',
        `insert into cluster_rounds
           (tenant_id, cluster_id, round, started_at, template_hash, attempt, cautious, actor, existing, pods, ended)
         values ($1, $2, $3, to_timestamp($4::float8 / 1000), $5, $6, $7, $8, $9, $10, $11)
         on conflict do nothing returning round`,
        [tenantId, clusterId, round.number, round.startedAt, ...roundValues(round)],
      );
      return rows.length > 0;
    },
    async updateRound(clusterId, round) {
      await scope.query(
        'cluster_round_update',
        `update cluster_rounds set template_hash = $4, attempt = $5, cautious = $6, actor = $7, existing = $8, pods = $9,
           ended = $10
         where tenant_id = $1 and cluster_id = $2 and round = $3`,
        [tenantId, clusterId, round.number, ...roundValues(round)],
      );
    },
    async drop(olderThanDays, limit) {
      const rows = await scope.query(
        'cluster_drop',
        `with rounds as (
           delete from cluster_rounds where (tenant_id, cluster_id, round) in (
             select tenant_id, cluster_id, round from cluster_rounds
             where tenant_id = $1 and started_at < now() - make_interval(days => $2) limit $3) returning 1
         ), statuses as (
           delete from cluster_status where tenant_id = $1 and seen_at < now() - make_interval(days => $2) returning 1
         ) select 1 from rounds union all select 1 from statuses`,
        [tenantId, olderThanDays, limit],
      );
      return rows.length;
    },
  };
}

function roundValues({ templateHash, attempt, cautious, actor, existing, pods, ended }: Round): unknown[] {
  return [templateHash, attempt, cautious, actor, JSON.stringify(existing), JSON.stringify(pods), ended];
}
