// Waits until a started PostgreSQL answers a real connection.
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** Address of the superuser: what pg's `ClientConfig` takes. */
export interface SuperuserAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A server that recovers after a crash refuses with 57P03 meanwhile; one that has just begun has no socket yet. */
const notYet = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'];
const pollMs = 15;

/**
 * Resolves when a connection was made and closed again.
 * @param deadlineMs how long recovery may take at most
 * @throws whatever the connection met that waiting does not mend, or the last refusal once the deadline passed
 */
export async function waitUntilReady(
  address: SuperuserAddress,
  deadlineMs: number,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  let isLogged = false;
  for (;;) {
    try {
      await tryConnection(address);
      return;
    } catch (error) {
      const waitedMs = performance.now() - startedAt;
      if (!isNotYet(error) || waitedMs > deadlineMs) throw error;
      if (waitedMs > 3_000 && !isLogged) {
        isLogged = true;
        log('PostgreSQL is still recovering after it was not stopped cleanly; waiting for it');
      }
    }
    await delay(pollMs, undefined, { signal });
  }
}

async function tryConnection(address: SuperuserAddress): Promise<void> {
  const client = new Client({ ...address, connectionTimeoutMillis: 5_000 });
  // A connection that is cut while it is being made fails `connect` too.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

function isNotYet(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return notYet.includes(error.code);
  // pg's own words for a connection that was cut, or that nobody took up in time.
  return /^Connection terminated|timeout expired/.test(error.message);
}
