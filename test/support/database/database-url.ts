// The address of a test's database as an operator would write it into DATABASE_URL.
import { inject } from 'vitest';
import type { TestDatabase } from './database.ts';

export interface LoginName {
  readonly user: string;
  readonly password: string;
}

export function databaseUrl(db: Pick<TestDatabase, 'service'>, { user, password }: LoginName): string {
  const { host, port } = inject('service');
  const secret = encodeURIComponent(password);
  return `postgresql://${user}:${secret}@${encodeURIComponent(host)}:${port}/${db.service.database}`;
}

/** The environment of a service on this database. */
export function databaseEnvironment(db: Pick<TestDatabase, 'service'>): {
  DATABASE_URL: string;
  MIGRATION_DATABASE_URL: string;
} {
  return {
    DATABASE_URL: databaseUrl(db, inject('service')),
    MIGRATION_DATABASE_URL: databaseUrl(db, inject('superuser')),
  };
}
