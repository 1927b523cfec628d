// The store: transactions within a tenant. The tenant is set here and in functions/queue-*.sql, nowhere else.
import type pg from 'pg';
import type { TenantScope } from '../../../domain/ports/store/queue.ts';
import type { Rows, Store } from '../../../domain/ports/store/store.ts';
import { intentToJson } from '../codec/audit-intents.ts';
import { translated } from '../connection/pg-errors.ts';
import type { Scope } from './rows/scope.ts';
import { activeCodebaseRows } from './rows/active-codebase-rows.ts';
import { agentRows } from './rows/agent-rows.ts';
import { apiKeyRows } from './rows/api-key-rows.ts';
import { auditRows } from './rows/audit-rows.ts';
import { codebaseRows } from './rows/codebase-rows.ts';
import { deliveryRows } from './rows/tasks/delivery-rows.ts';
import { interventionRows } from './rows/tasks/intervention-rows.ts';
import { logRows } from './rows/tasks/log-rows.ts';
import { messageRows } from './rows/tasks/message-rows.ts';
import { pushConfigRows } from './rows/tasks/push-config-rows.ts';
import { repeatRows } from './rows/tasks/repeat-rows.ts';
import { routeRows } from './rows/tasks/route-rows.ts';
import { sharedRecordRows } from './rows/shared-record-rows.ts';
import { sessionRows } from './rows/session-rows.ts';
import { signInRows } from './rows/sign-in-rows.ts';
import { taskRows } from './rows/tasks/task-rows.ts';
import { toolRows } from './rows/tool-rows.ts';
import { userRows } from './rows/user-rows.ts';
import { workerRows } from './rows/worker-rows.ts';

export interface StoreOptions {
  readonly pool: pg.Pool;
  /** A worker is offline when nothing was heard of it for this long. */
  readonly offlineAfterSeconds: number;
  /** How long idempotency keys are kept. */
  readonly idempotencyHours: number;
}

export function postgresStore(options: StoreOptions): Store {
  const { pool } = options;
  return {
    async within(tenant, work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw translated(error);
      });
      try {
        return await transaction(client, tenant, (scope) => work(buildRows(scope, options)));
      } catch (error) {
        throw translated(error);
      }
    },
    async ping() {
      try {
        await pool.query('select 1');
      } catch (error) {
        throw translated(error);
      }
    },
  };
}

function buildRows(scope: Scope, { offlineAfterSeconds, idempotencyHours }: StoreOptions): Rows {
  return {
    audit: auditRows(scope),
    tasks: taskRows(scope, offlineAfterSeconds),
    repeats: repeatRows(scope, idempotencyHours),
    routes: routeRows(scope),
    workers: workerRows(scope, offlineAfterSeconds),
    codebases: codebaseRows(scope),
    activeCodebases: activeCodebaseRows(scope),
    agents: agentRows(scope, offlineAfterSeconds),
    log: logRows(scope),
    messages: messageRows(scope),
    sessions: sessionRows(scope),
    shared: sharedRecordRows(scope),
    deliveries: deliveryRows(scope),
    pushConfigs: pushConfigRows(scope),
    interventions: interventionRows(scope),
    users: userRows(scope),
    apiKeys: apiKeyRows(scope),
    signIns: signInRows(scope),
    tools: toolRows(scope),
  };
}

/** Begin, tenant and the work's first statement travel in one round trip: the connection pipelines. */
async function transaction<T>(
  client: pg.PoolClient,
  tenant: TenantScope,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const opened = Promise.all([
    client.query('begin'),
    client.query({
      name: 'set_tenant',
      text: `select set_config('app.current_tenant_id', $1, true)`,
      values: [tenant.tenantId],
    }),
  ]);
  const scope: Scope = {
    tenantId: tenant.tenantId,
    async query<R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) {
      const result = await client.query<R>({ name, text, values: [...values] });
      return result.rows;
    },
  };
  const [begun, done] = await Promise.allSettled([opened, work(scope)]);
  try {
    if (done.status === 'rejected') throw done.reason;
    if (begun.status === 'rejected') throw begun.reason;
    await commitWithIntent(client, tenant);
    client.release();
    return done.value;
  } catch (error) {
    // A connection that cannot even roll back is closed, not returned to the pool.
    await client.query('rollback').then(
      () => client.release(),
      (broken: unknown) => client.release(broken instanceof Error ? broken : true),
    );
    throw error;
  }
}

/**
 * The audit's intent goes with the change or not at all, in the round trip of the commit. What has changed nothing
 * leaves none; several transactions of one call leave one.
 */
async function commitWithIntent(client: pg.PoolClient, { tenantId, intent }: TenantScope): Promise<void> {
  if (intent === undefined) {
    await client.query('commit');
    return;
  }
  intent.trace.rows.push({ tenantId, id: intent.id, pending: 1 });
  const [kept, done] = await Promise.allSettled([
    client.query({
      name: 'store_audit_intent',
      text: `insert into audit_intents (tenant_id, id, replica_id, entries)
        select $1, $2, $3, $4 where pg_current_xact_id_if_assigned() is not null on conflict do nothing`,
      values: [tenantId, intent.id, intent.chain, JSON.stringify([intentToJson(intent, intent.trace.taskId)])],
    }),
    // Without the intent this is a rollback.
    client.query('commit'),
  ]);
  if (kept.status === 'rejected') throw kept.reason;
  if (done.status === 'rejected') throw done.reason;
}
