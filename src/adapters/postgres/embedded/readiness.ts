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

/** A server rejects connections with 57P03 while it recovers after a crash; one that has just started has no socket yet. */
const notYet = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'];
const pollMs = 15;

/**
 * Resolves when a connection was made and closed again.
 * @param deadlineMs how long recovery may take at most
 * @throws an error that waiting does not cure, or the last rejection once the deadline has passed
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

/** Connects and closes again. @throws the driver's error */
export async function tryConnection(address: SuperuserAddress): Promise<void> {
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
  // Messages of pg for a connection that was cut, or not accepted in time.
  return /^Connection terminated|timeout expired/.test(error.message);
}
