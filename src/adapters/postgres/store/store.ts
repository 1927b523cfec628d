// The store: transactions within a tenant. Only this file and some functions of schema/functions set the tenant.
import type pg from 'pg';
import type { TenantScope } from '../../../domain/model/access/caller.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { intentToJson } from '../codec/audit-intents.ts';
import { translated } from '../connection/pg-errors.ts';
import type { Scope } from './rows/scope.ts';
import { TenantRows, type RowsOptions } from './tenant-rows.ts';

export interface StoreOptions extends RowsOptions {
  readonly pool: pg.Pool;
}

export function postgresStore(options: StoreOptions): Store {
  const { pool } = options;
  return {
    async within(tenant, work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw translated(error);
      });
      try {
        return await transaction(client, tenant, (scope) => work(new TenantRows(scope, options)));
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

/** Begin, tenant and the work's first statement need one round trip: the connection pipelines. */
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
 * Stores the audit intent in the round trip of the commit, with the change or not at all. A transaction without a change
 * stores none; several transactions of one call store one.
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
