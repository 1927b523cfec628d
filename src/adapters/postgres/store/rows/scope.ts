// One transaction within a tenant, as the row modules use it.
import type pg from 'pg';

/** Runs statements with parameters in the transaction and returns their rows. */
export interface Scope {
  readonly tenantId: string;
  query<R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<R[]>;
}
