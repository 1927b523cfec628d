// Rows of workers. Row-level security limits them to the tenant; the statements have no condition for it.
import type { WorkerRows } from '../../../../domain/ports/store/store.ts';
import type { RoutableWorker } from '../../../../domain/model/task/route.ts';
import type { MissingAgent, Worker, WorkerStatus } from '../../../../domain/model/worker.ts';
import type { Scope } from './scope.ts';
import { isoTime } from '../../codec/task-json.ts';

interface WorkerRow {
  readonly worker_id: string;
  readonly subject: string;
  readonly name: string;
  readonly status: WorkerStatus;
  readonly capabilities: string[];
  readonly hostname: string;
  readonly version: string;
  readonly agents: string[];
  readonly models: string[];
  readonly slots: number;
  readonly running: string;
  readonly codebase_ids: string[];
  readonly registered_at: Date;
  readonly last_heartbeat_at: Date;
  readonly tasks_completed: string;
  readonly codebase_roots: string[] | null;
  readonly drained_at: Date | null;
  readonly agents_missing: MissingAgent[];
  readonly disk_free: string | null;
  readonly os: string;
}

interface RoutableRow {
  readonly worker_id: string;
  readonly names: string[];
  readonly agents: string[];
  readonly capabilities: string[];
  readonly served: string[];
  readonly online: boolean;
  readonly drained: boolean;
}

/** Columns of a worker of the domain; $1: seconds after which it counts as offline. */
const columns = `w.worker_id, w.subject, w.name, w.capabilities, w.hostname, w.version, w.agents, w.models, w.slots,
  w.registered_at, w.last_heartbeat_at, w.tasks_completed, w.codebase_roots,
  w.drained_at, w.agents_missing, w.disk_free, w.os,
  case when w.unregistered_at is not null then 'unregistered'
       when w.last_heartbeat_at > now() - make_interval(secs => $1) then 'active' else 'offline' end as status,
  (select count(*) from tasks t where t.tenant_id = w.tenant_id and t.worker_id = w.worker_id and t.status = 'running') as running,
  array(select b.codebase_id from codebase_bindings b where b.tenant_id = w.tenant_id and b.worker_id = w.worker_id
        order by b.codebase_id) as codebase_ids`;

/** $1 as above. */
const routable = `select w.worker_id, worker_names(w) as names, w.agents, w.capabilities,
    array(select b.codebase_id from codebase_bindings b
          join workspaces c on c.tenant_id = b.tenant_id and c.codebase_id = b.codebase_id
          where b.tenant_id = w.tenant_id and b.worker_id = w.worker_id
            and (c.worker_id is null or c.worker_id = w.worker_id)) as served,
    w.last_heartbeat_at > now() - make_interval(secs => $1) as online, w.drained_at is not null as drained
  from workers w where w.unregistered_at is null`;

export function workerRows(scope: Scope, offlineAfterSeconds: number): WorkerRows {
  return {
    async upsert(subject, workerId, profile) {
      const [row] = await scope.query<{ worker_id: string }>(
        'worker_upsert',
        `insert into workers (tenant_id, worker_id, subject, name, capabilities, hostname, version, agents, models, slots,
           codebase_roots, agents_missing, disk_free, os)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         on conflict (tenant_id, subject, name) do update set capabilities = excluded.capabilities,
           hostname = excluded.hostname, version = excluded.version, agents = excluded.agents,
           models = excluded.models, slots = excluded.slots,
           codebase_roots = excluded.codebase_roots, agents_missing = excluded.agents_missing,
           disk_free = excluded.disk_free, os = excluded.os, last_heartbeat_at = now(), unregistered_at = null,
           drained_at = null
         returning worker_id`,
        [
          scope.tenantId,
          workerId,
          subject,
          profile.name,
          profile.capabilities,
          profile.hostname,
          profile.version,
          profile.agents,
          profile.models,
          profile.slots,
          profile.codebaseRoots ?? null,
          JSON.stringify(profile.agentsMissing ?? []),
          profile.diskFree ?? null,
          profile.os ?? '',
        ],
      );
      return row?.worker_id ?? workerId;
    },
    async find(workerId) {
      const rows = await scope.query<WorkerRow>(
        'worker_find',
        `select ${columns} from workers w where w.worker_id = $2`,
        [offlineAfterSeconds, workerId],
      );
      return rows.map(workerOf)[0];
    },
    async list({ status, capability, codebaseId }, page) {
      const rows = await scope.query<WorkerRow>(
        'worker_list',
        // Running tasks and codebases are read for the page's workers only.
        `select ${columns} from (
           select * from workers v where ($2::uuid is null or v.worker_id < $2)
             and (v.unregistered_at is not null) = coalesce($4::text = 'unregistered', false)
             and ($4 is null or $4 = 'unregistered'
                  or ($4 = 'active') = (v.last_heartbeat_at > now() - make_interval(secs => $1)))
             and ($5::text is null or $5 = any (v.capabilities))
             and ($6::text is null or exists (
               select from codebase_bindings b
               where b.tenant_id = v.tenant_id and b.codebase_id = $6 and b.worker_id = v.worker_id))
           order by v.worker_id desc limit $3) w
         order by w.worker_id desc`,
        [offlineAfterSeconds, page.before ?? null, page.limit, status ?? null, capability ?? null, codebaseId ?? null],
      );
      return rows.map(workerOf);
    },
    async routable(workerIds) {
      // Two statements: a shared one would have a good plan for neither case.
      const rows =
        workerIds === undefined
          ? await scope.query<RoutableRow>('worker_routable', routable, [offlineAfterSeconds])
          : await scope.query<RoutableRow>('worker_routable_named', `${routable} and w.worker_id = any ($2::uuid[])`, [
              offlineAfterSeconds,
              workerIds,
            ]);
      return rows.map(routableOf);
    },
    async named(workerIds) {
      const rows = await scope.query<{ worker_id: string; name: string; last_heartbeat_at: Date }>(
        'worker_named',
        'select worker_id, name, last_heartbeat_at from workers where tenant_id = $1 and worker_id = any ($2::uuid[])',
        [scope.tenantId, workerIds],
      );
      return rows.map((row) => ({
        workerId: row.worker_id,
        name: row.name,
        lastHeartbeatAt: isoTime(row.last_heartbeat_at),
      }));
    },
    async ownedBy(subject) {
      const rows = await scope.query<{ worker_id: string }>(
        'worker_owned_by',
        'select worker_id from workers where tenant_id = $1 and subject = $2 and unregistered_at is null limit 1000',
        [scope.tenantId, subject],
      );
      return rows.map((row) => row.worker_id);
    },
    async full() {
      // Starts at the running tasks, by their own index: of thousands of workers few are full.
      const rows = await scope.query<{ worker_id: string }>(
        'worker_full',
        `select r.worker_id from (
           select tenant_id, worker_id, count(*) as n from tasks where status = 'running' group by tenant_id, worker_id
         ) r join workers w on w.tenant_id = r.tenant_id and w.worker_id = r.worker_id
         where r.n >= w.slots`,
        [],
      );
      return new Set(rows.map((row) => row.worker_id));
    },
    async totals() {
      const [row] = await scope.query<{ active: number; offline: number; slots: number; busy: number }>(
        'worker_totals',
        `select count(*) filter (where online)::integer as active, count(*) filter (where not online)::integer as offline,
           coalesce(sum(slots) filter (where online), 0)::integer as slots,
           (select count(*) from tasks where status = 'running')::integer as busy
         from (select slots, last_heartbeat_at > now() - make_interval(secs => $1) as online
               from workers where unregistered_at is null) w`,
        [offlineAfterSeconds],
      );
      return row ?? { active: 0, offline: 0, slots: 0, busy: 0 };
    },
    versions: () =>
      scope.query<{ version: string; workers: number }>(
        'worker_versions',
        `select version, count(*)::integer as workers from workers
         where unregistered_at is null and last_heartbeat_at > now() - make_interval(secs => $1)
         group by version order by workers desc, version limit 20`,
        [offlineAfterSeconds],
      ),
    async clockMicros() {
      const text = 'select (extract(epoch from clock_timestamp()) * 1e6)::bigint as us';
      const [row] = await scope.query<{ us: string }>('worker_clock', text, []);
      return Number(row?.us ?? 0);
    },
    async drain(workerId) {
      await scope.query(
        'worker_drain',
        'update workers set drained_at = coalesce(drained_at, now()) where worker_id = $1 and unregistered_at is null',
        [workerId],
      );
    },
    async unregister(workerId) {
      await scope.query(
        'worker_unregister',
        // The full lock waits for running claims; later claims find the worker unregistered.
        `with leaving as materialized (
           select tenant_id, worker_id from workers where worker_id = $1 and unregistered_at is null for update
         ) update workers w set unregistered_at = now() from leaving l
         where w.tenant_id = l.tenant_id and w.worker_id = l.worker_id`,
        [workerId],
      );
    },
  };
}

function routableOf(row: RoutableRow): RoutableWorker {
  return {
    workerId: row.worker_id,
    names: row.names,
    agents: row.agents,
    capabilities: row.capabilities,
    servedCodebaseIds: new Set(row.served),
    online: row.online,
    drained: row.drained,
  };
}

function workerOf(row: WorkerRow): Worker {
  return {
    workerId: row.worker_id,
    subject: row.subject,
    name: row.name,
    status: row.status,
    capabilities: row.capabilities,
    hostname: row.hostname,
    version: row.version,
    agents: row.agents,
    models: row.models,
    slots: row.slots,
    running: Number(row.running),
    codebaseIds: row.codebase_ids,
    registeredAt: isoTime(row.registered_at),
    lastHeartbeatAt: isoTime(row.last_heartbeat_at),
    tasksCompleted: Number(row.tasks_completed),
    codebaseRoots: row.codebase_roots ?? undefined,
    drainedAt: row.drained_at === null ? null : isoTime(row.drained_at),
    agentsMissing: row.agents_missing,
    diskFree: row.disk_free === null ? null : Number(row.disk_free),
    os: row.os,
  };
}
