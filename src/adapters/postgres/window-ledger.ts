// The ledger of call windows, on a connection of its own: its session lock tells other replicas that this one is
// alive, and whoever wants a window that is counted here says so on its channel.
import pg from 'pg';
import type { Counted, WindowEntry, WindowLedger, WindowState } from '../../domain/ports/window-ledger.ts';
import { clientConfig, type Address } from './connections.ts';
import { translated } from './pg-errors.ts';

export interface WindowLedgerOptions {
  readonly address: Address;
  readonly role: 'a2a_app' | 'a2a_admin';
  /** Calls that a window holds. */
  readonly limit: number;
  readonly windowMs: number;
  readonly randomBytes: (size: number) => Buffer;
}

const channel = 'switchyard_limits';
/** Counts are worth one minute: they need not wait for the disk. */
const unsynced = { synchronous_commit: 'off' };

interface Session {
  readonly client: pg.Client;
  /** The number that this session holds a lock on. */
  readonly holder: string;
}

interface WindowJson {
  readonly elsewhere?: true;
  readonly started: number;
  readonly ends_in: number;
  readonly used: number;
  readonly granted: number;
  readonly kept: boolean;
}

export class PostgresWindowLedger implements WindowLedger, AsyncDisposable {
  readonly #options: WindowLedgerOptions;
  #session: Promise<Session> | undefined;
  #hear: (wanted: Counted) => void = () => undefined;

  constructor(options: WindowLedgerOptions) {
    this.#options = options;
  }

  async settle(entries: readonly WindowEntry[]): Promise<readonly (WindowState | 'elsewhere' | 'over')[]> {
    const { limit, windowMs } = this.#options;
    try {
      const { client, holder } = await this.#opened();
      const { rows } = await client.query<{ answers: (WindowJson | null)[] }>({
        name: 'limit_calls',
        text: `select limit_calls($1, $2, $3 * interval '1 ms', $4) as answers`,
        values: [holder, limit, windowMs, JSON.stringify(entries.map(itemOf))],
      });
      return (rows[0]?.answers ?? []).map(stateOf);
    } catch (error) {
      throw translated(error);
    }
  }

  onWanted(hear: (wanted: Counted) => void): void {
    this.#hear = hear;
  }

  /** Opened when it is first needed, and again when it broke: under another number, for the old one counts no more. */
  #opened(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    const client = new pg.Client(clientConfig(this.#options.address, this.#options.role, unsynced));
    const session = this.#open(client);
    // A connection that breaks says so more than once, the last time when another is open already.
    const lost = (): void => {
      if (this.#session === session) this.#session = undefined;
    };
    client.on('error', lost);
    client.on('end', lost);
    this.#session = session;
    // Who asked for it hears why it did not open; the next one tries again.
    void session.catch(lost);
    return session;
  }

  async #open(client: pg.Client): Promise<Session> {
    const holder = this.#options.randomBytes(8).readBigInt64BE().toString();
    client.on('notification', ({ payload = '' }) => {
      const [wantedOf, tenantId, credentialId] = wantedIn(payload);
      if (wantedOf === holder) this.#hear({ tenantId, credentialId });
    });
    try {
      await client.connect();
      await client.query('select pg_advisory_lock($1)', [holder]);
      await client.query(`listen ${channel}`);
      return { client, holder };
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    await session?.client.end();
  }
}

function itemOf({ tenantId, credentialId, calls, told, keep }: WindowEntry): Record<string, unknown> {
  const item = { tenant: tenantId, credential: credentialId, calls, keep };
  return told === undefined ? item : { ...item, started: told.startedAt, used: told.used };
}

function stateOf(answer: WindowJson | null): WindowState | 'elsewhere' | 'over' {
  if (answer === null) return 'over';
  if (answer.elsewhere === true) return 'elsewhere';
  const { started, ends_in, used, granted, kept } = answer;
  return { startedAt: started, endsInMs: ends_in, used, granted, kept };
}

/** Our own function's payload: whose window, then the tenant and the credential. */
function wantedIn(payload: string): [string, string, string] {
  return JSON.parse(payload);
}
