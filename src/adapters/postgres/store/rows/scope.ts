// One transaction within a tenant, as the row modules see it.
import type pg from 'pg';

/** What row modules see of a transaction: a statement with parameters, answered by rows. */
export interface Scope {
  readonly tenantId: string;
  query<R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<R[]>;
}
