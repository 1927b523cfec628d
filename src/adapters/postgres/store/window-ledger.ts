// The ledger of call windows, on a connection of its own: its session lock shows other replicas that this one is alive, and
// they request windows that are counted here on its channel.
import pg from 'pg';
import type { LimitedCredential, WindowEntry, WindowLedger, WindowState } from '../../../domain/ports/window-ledger.ts';
import { clientConfig, type DatabaseAddress } from '../connection/connections.ts';
import { translated } from '../connection/pg-errors.ts';

export interface WindowLedgerOptions {
  readonly address: DatabaseAddress;
  readonly role: 'a2a_app' | 'a2a_admin';
  /** Calls per window. */
  readonly limit: number;
  readonly windowMs: number;
  readonly randomBytes: (size: number) => Buffer;
}

const channel = 'switchyard_limits';
/** Counts matter for one minute only: commits need not wait for the disk. */
const asyncCommit = { synchronous_commit: 'off' };

type Answer = WindowState | 'elsewhere' | 'over';

interface Session {
  readonly client: pg.Client;
  /** The number that this session holds a lock on. */
  readonly holder: string;
}

/** The result of limit_calls: the server's time, and for each counted window its place in the batch and its state. */
interface CountedJson {
  readonly at: number;
  readonly counted: readonly (readonly [n: number, started: number, used: number, granted: number, kept: boolean])[];
}

/** An entry with its place in the batch. */
interface Placed {
  readonly entry: WindowEntry;
  readonly place: number;
}

export class PostgresWindowLedger implements WindowLedger, AsyncDisposable {
  readonly #options: WindowLedgerOptions;
  #session: Promise<Session> | undefined;
  #onWanted: (wanted: LimitedCredential) => void = () => undefined;

  constructor(options: WindowLedgerOptions) {
    this.#options = options;
  }

  async settle(entries: readonly WindowEntry[]): Promise<readonly Answer[]> {
    const byTenant = Map.groupBy(
      entries.map((entry, place): Placed => ({ entry, place })),
      ({ entry }) => entry.tenantId,
    );
    const answers = entries.map(({ calls }): Answer => (calls > 0 ? 'elsewhere' : 'over'));
    try {
      const session = await this.#opened();
      // Always in key order, so that two replicas do not deadlock.
      const groups = [...byTenant.values()].map((group) => group.toSorted(byCredential));
      const found = await Promise.all(groups.map((group) => this.#count(session, group)));
      for (const [place, state] of found.flat()) answers[place] = state;
      return answers;
    } catch (error) {
      throw translated(error);
    }
  }

  async #count({ client, holder }: Session, group: readonly Placed[]): Promise<[place: number, WindowState][]> {
    const { limit, windowMs } = this.#options;
    const { rows } = await client.query<{ answer: CountedJson }>({
      name: 'limit_calls',
      text: 'select limit_calls($1, $2, $3, $4, $5, $6, $7, $8, $9) as answer',
      values: [
        group[0]?.entry.tenantId,
        holder,
        limit,
        windowMs,
        group.map(({ entry }) => entry.credentialId),
        group.map(({ entry }) => entry.calls),
        group.map(({ entry }) => entry.keep),
        group.map(({ entry }) => entry.reported?.startedAt ?? null),
        group.map(({ entry }) => entry.reported?.used ?? null),
      ],
    });
    const answer = rows[0]?.answer;
    return (answer?.counted ?? []).flatMap(([n, startedAt, used, granted, kept]) => {
      const place = group[n - 1]?.place;
      const endsInMs = startedAt + windowMs - (answer?.at ?? 0);
      return place === undefined ? [] : [[place, { startedAt, endsInMs, used, granted, kept }]];
    });
  }

  onWanted(listener: (wanted: LimitedCredential) => void): void {
    this.#onWanted = listener;
  }

  /** Opened at the first use, and again after a failure, under a new number: the old holder no longer counts. */
  #opened(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    const client = new pg.Client(clientConfig(this.#options.address, this.#options.role, asyncCommit));
    const session = this.#open(client);
    // A broken connection emits several events, the last possibly after the next session is open.
    const lost = (): void => {
      if (this.#session === session) this.#session = undefined;
    };
    client.on('error', lost);
    client.on('end', lost);
    this.#session = session;
    // The caller gets the error; the next call tries again.
    void session.catch(lost);
    return session;
  }

  async #open(client: pg.Client): Promise<Session> {
    const holder = this.#options.randomBytes(8).readBigInt64BE().toString();
    client.on('notification', ({ payload = '' }) => {
      const [wantedOf, tenantId, credentialId] = parseWanted(payload);
      if (wantedOf === holder) this.#onWanted({ tenantId, credentialId });
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

function byCredential(a: Placed, b: Placed): number {
  return a.entry.credentialId < b.entry.credentialId ? -1 : 1;
}

/** The payload of request_call_windows: the holder, the tenant and the credential. */
function parseWanted(payload: string): [string, string, string] {
  return JSON.parse(payload);
}
