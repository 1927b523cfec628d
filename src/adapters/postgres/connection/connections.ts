// The connections of the service: pools whose every connection runs under one role, with bounded waits.
import pg from 'pg';

/** How to reach the database; no secret of it is ever logged. */
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
  /** The role that every connection takes on: `a2a_app`, or `a2a_admin` when row-level security is off. */
  readonly role: 'a2a_app' | 'a2a_admin';
  readonly max: number;
  readonly log: (line: string, error?: unknown) => void;
}

/** Milliseconds until a caller is told that the database cannot be reached. */
const connectTimeoutMs = 5_000;
/** Milliseconds a statement may run: a request must not hang on a lock or a scan. */
const statementTimeoutMs = 15_000;
/**
 * Milliseconds after which a connection without an answer is given up: the server would have spoken by then, so it is half
 * open, as a machine or a router that vanished leaves it. The system itself would notice after hours.
 */
const answerTimeoutMs = statementTimeoutMs + 5_000;

/**
 * The settings of one connection under a role; statements go out without waiting for earlier answers.
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
    // At start-up, not by SET ROLE: a connection that could not take the role does not exist.
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
 * What every plan of the queue's functions is made under. A queue's tables are empty now and deep in a minute, and are
 * seldom as the planner's statistics have them: a plan made for few rows reads all of a tenant's tasks for each row of
 * a batch (measured: 7 ms for a claim beside 3,000 finished tasks), and a plan made anew for each call costs 1–3 ms.
 * So the statements are written to have one sane plan only, by primary key, and it is made once. Set here and not on
 * the functions, which measured 5 % of a small commit.
 */
export const commitSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };

/** The pool of the queue's commits (commit-lanes.ts). Its connections stay: with them go their plans. */
export function openCommitPool(options: PoolOptions): pg.Pool {
  return poolOf(options, commitSettings, 0);
}

/** @param idleTimeoutMs after which an unused connection is closed; 0: never */
function poolOf(options: PoolOptions, settings: Readonly<Record<string, string>>, idleTimeoutMs: number): pg.Pool {
  const { address, role, max, log } = options;
  // Each connection reads the address anew: the embedded server may come back at another one.
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
  // A connection that breaks in use says so to whoever waits for its statement; said to nobody it would end the
  // process. An idle one is dropped by the pool, and the next statement opens another.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) log('a database connection broke', error);
  });
  return pool;
}
