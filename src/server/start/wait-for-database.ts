// Waits until a database answers and has the schema of this version: for containers that start before it is migrated.
import { setTimeout as delay } from 'node:timers/promises';
import { findMissingMigrations, MigrationError } from '../../adapters/postgres/schema/migrate.ts';
import { explainStartFailure } from './start-failure.ts';

const pauseMs = 1_000;

/**
 * @param note receives each new reason to wait
 * @returns false when the time is over
 * @throws StartError when the schema is one that no migration of this version leads to
 */
export async function waitForDatabase(
  url: string,
  { seconds, note }: { readonly seconds: number; readonly note: (reason: string) => void },
): Promise<boolean> {
  const until = performance.now() + seconds * 1000;
  let noted: string | undefined;
  for (;;) {
    const reason = await findReasonToWait(url);
    if (reason === undefined) return true;
    if (reason !== noted) note(reason);
    noted = reason;
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(pauseMs, leftMs));
  }
}

async function findReasonToWait(connectionString: string): Promise<string | undefined> {
  try {
    const missing = await findMissingMigrations({ connectionString });
    return missing.length === 0 ? undefined : `it lacks ${missing.join(', ')}`;
  } catch (error) {
    if (error instanceof MigrationError) throw explainStartFailure(error);
    const explained = explainStartFailure(error);
    return explained instanceof Error ? explained.message : String(explained);
  }
}
