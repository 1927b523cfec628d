// The connections of the service: pools whose every connection runs under one role, with bounded waits.
import pg from 'pg';

/** The address of the database. Its secrets are never logged. */
export type DatabaseAddress =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };

export interface PoolOptions {
  readonly address: DatabaseAddress;
  /** The role of every connection: `a2a_app`, or `a2a_admin` when row-level security is off. */
  readonly role: 'a2a_app' | 'a2a_admin';
  readonly max: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** Milliseconds after which an unreachable database is reported to the caller. */
const connectTimeoutMs = 5_000;
/** Milliseconds a statement may run: a request must not hang on a lock or a scan. */
const statementTimeoutMs = 15_000;
/**
 * Milliseconds after which a connection without a response is closed. The server's own timeout would have answered by then,
 * so the connection is half open: its machine or a router is gone. The operating system would notice only after hours.
 */
const answerTimeoutMs = statementTimeoutMs + 5_000;

/**
 * The settings of one connection under a role. Statements are pipelined.
 * @param settings of PostgreSQL, by its own names
 */
export function clientConfig(
  address: DatabaseAddress,
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
    query_timeout: answerTimeoutMs,
    // A startup option and not SET ROLE: a connection that may not have the role fails to open.
    options: Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    keepAlive: true,
    pipeline: true,
  };
}

/** A pool of such connections. */
export function openPool(options: PoolOptions): pg.Pool {
  return poolOf(options, {}, 30_000);
}

/**
 * Planner settings of the queue's functions. A queue's tables are empty now and deep in a minute, and seldom match the
 * planner's statistics: a plan made for few rows reads all of a tenant's tasks for each row of a batch (measured: 7 ms for
 * a claim beside 3,000 finished tasks), and planning each call anew costs 1–3 ms. So the statements are written to have
 * one sane plan only, by primary key, which is made once. The settings belong to the connection, because settings of the
 * functions measured 5 % of a small commit.
 */
export const commitSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };

/** The pool of the group commits (queue/group-committer.ts). Its connections stay open, to keep their plans. */
export function openCommitPool(options: PoolOptions): pg.Pool {
  return poolOf(options, commitSettings, 0);
}

/** @param idleTimeoutMs after which an unused connection is closed; 0: never */
function poolOf(options: PoolOptions, settings: Readonly<Record<string, string>>, idleTimeoutMs: number): pg.Pool {
  const { address, role, max, log } = options;
  // Each connection reads the address anew: the embedded server may restart at another one.
  class AddressedClient extends pg.Client {
    constructor() {
      super(clientConfig(address, role, settings));
    }
  }
  const pool = new pg.Pool({
    Client: AddressedClient,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    max,
  });
  // An error of a connection in use rejects its statement; without a listener the event would also end the process. The
  // pool drops a broken idle connection, and the next statement opens another.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) log('a database connection broke; the pool opens another', error);
  });
  return pool;
}
