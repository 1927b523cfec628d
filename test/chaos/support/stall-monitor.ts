// A pulse of the machine: a row written every 100 ms. Where it stops for a while the machine or the database stood still,
// and nobody can be blamed for what waited.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Login } from '../../support/database/cluster.ts';
import type { Interval } from './intervals.ts';

const everyMs = 100;
/** A pause that is longer is a standstill. */
const standstillMs = 600;

export class StallMonitor implements AsyncDisposable {
  readonly #address: Login;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  /** Milliseconds of the database's clock. */
  readonly #at: number[] = [];

  private constructor(address: Login) {
    this.#address = address;
    this.#running = this.#run();
  }

  /** @param address of a login that may make a table */
  static async start(address: Login): Promise<StallMonitor> {
    const client = new pg.Client(address);
    await client.connect();
    await client.query('create table public.chaos_beats (at timestamptz not null)');
    await client.end();
    return new StallMonitor(address);
  }

  get standstills(): Interval[] {
    return this.#at.flatMap((to, i) => {
      const from = this.#at[i - 1] ?? to;
      return to - from > standstillMs ? [{ from, to }] : [];
    });
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // A server that was killed is looked for again.
      await this.#writeRows().catch(() => undefined);
      await delay(everyMs);
    }
  }

  async #writeRows(): Promise<void> {
    const client = new pg.Client({ ...this.#address, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      while (!this.#stop.signal.aborted) {
        const { rows } = await client.query<{ ms: number }>(
          `insert into public.chaos_beats values (clock_timestamp())
           returning (extract(epoch from at) * 1000)::float8 as ms`,
        );
        this.#at.push(...rows.map(({ ms }) => ms));
        await delay(everyMs);
      }
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
