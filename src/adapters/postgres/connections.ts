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

/**
 * The settings of one connection under a role; statements go out without waiting for earlier answers.
 * @param settings of PostgreSQL, by its own names
 */
export function clientConfig(
  address: Address,
  role: 'a2a_app' | 'a2a_admin',
  settings: Readonly<Record<string, string>> = {},
): pg.ClientConfig & { pipeline: boolean } {
  const all = {
    role,
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: '30000',
    ...settings,
  };
  return {
    ...address,
    application_name: 'switchyard',
    connectionTimeoutMillis: connectTimeoutMs,
    // At start-up, not by SET ROLE: a connection that could not take the role does not exist.
    options: Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    keepAlive: true,
    pipeline: true,
  };
}

/** A pool of such connections. */
export function openPool(options: ConnectionOptions): pg.Pool {
  const { address, role, max, log } = options;
  // Each connection reads the address anew: the embedded server may come back at another one.
  class AddressedClient extends pg.Client {
    constructor() {
      super(clientConfig(address, role));
    }
  }
  const pool = new pg.Pool({
    Client: AddressedClient,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    max,
  });
  // A connection that breaks in use says so to whoever waits for its statement; said to nobody it would end the
  // process. An idle one is dropped by the pool, and the next statement opens another.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) log('a database connection broke', error);
  });
  return pool;
}
