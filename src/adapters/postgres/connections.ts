// The connections of the service: pools whose every connection runs under one role, with bounded waits.
import pg from 'pg';

/** How to reach the database; no secret of it is ever logged. */
export type Address =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };

export interface ConnectionOptions {
  readonly address: Address;
  /** The role that every connection takes on: `a2a_app`, or `a2a_admin` when row-level security is off. */
  readonly role: 'a2a_app' | 'a2a_admin';
  readonly max: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** Milliseconds until a caller is told that the database cannot be reached. */
const connectTimeoutMs = 3_000;
/** Milliseconds a statement may run: a request must not hang on a lock or a scan. */
const statementTimeoutMs = 15_000;

/** The settings of one connection under a role; statements go out without waiting for earlier answers. */
export function clientConfig(address: Address, role: 'a2a_app' | 'a2a_admin'): pg.ClientConfig & { pipeline: boolean } {
  return {
    ...address,
    application_name: 'switchyard',
    connectionTimeoutMillis: connectTimeoutMs,
    // At start-up, not by SET ROLE: a connection that could not take the role does not exist.
    options: `-c role=${role} -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=30000`,
    keepAlive: true,
    pipeline: true,
  };
}

/** A pool of such connections. */
export function openPool(options: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(options.address, options.role),
    max: options.max,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that breaks is dropped by the pool; the next query opens another.
  pool.on('error', (error) => options.log('a database connection broke', error));
  return pool;
}
