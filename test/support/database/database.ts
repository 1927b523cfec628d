// A database of a test's own, cloned from the migrated template, and a superuser's eye into it for invariants.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Login } from './cluster.ts';

export interface TestDatabase extends AsyncDisposable {
  /** The service's login, into this database. */
  readonly service: Login;
  readonly superuser: Login;
  /** Runs a statement as superuser: sees every tenant. */
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

export async function cloneDatabase(): Promise<TestDatabase> {
  const cluster = inject('superuser');
  const database = `test_${randomBytes(6).toString('hex')}`;
  await once(
    { ...cluster, database: 'postgres' },
    // The files are copied: the other strategy writes every page to the log as well.
    `create database ${database} template ${cluster.database} strategy file_copy owner switchyard_owner`,
  );
  const superuser = { ...cluster, database };
  const client = new pg.Pool({ ...superuser, max: 2 });
  client.on('error', () => {});
  client.on('connect', (connection) => connection.on('error', () => {}));
  return {
    service: { ...inject('service'), database },
    superuser,
    query: async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await client.query<R>(text, values)).rows,
    async [Symbol.asyncDispose]() {
      await client.end();
      await once({ ...cluster, database: 'postgres' }, `drop database ${database} with (force)`);
    },
  };
}

async function once(login: Login, statement: string): Promise<void> {
  const client = new pg.Client(login);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
