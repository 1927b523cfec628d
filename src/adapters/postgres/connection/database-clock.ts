// The time by the database's clock. Replicas whose own clocks differ share it for the order of ids, and so of the queue, for
// deadlines and for the signing time of webhooks.
import type pg from 'pg';
import { translated } from './pg-errors.ts';

export interface DatabaseClockOptions {
  readonly pool: pg.Pool;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly localNow: () => number;
  readonly log: (line: string) => void;
}

/** Round trips per comparison; the quickest counts, because a slow one on a busy machine is less exact. */
const sampleCount = 3;
/** Smaller differences count as equal: synchronised machines differ by as much. */
const toleratedMs = 1_000;

export class DatabaseClock {
  readonly #options: DatabaseClockOptions;
  #aheadMs = 0;

  /** 0 until the first comparison: this machine's clock counts. */
  constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#options.localNow() - this.#aheadMs;

  /** Compares the clocks. @throws DomainError unavailable; the known difference then stays */
  async sync(): Promise<void> {
    const { log } = this.#options;
    const { aheadMs, tookMs } = await this.#compare().catch((error: unknown) => {
      throw translated(error);
    });
    // The database's time may be as old as half of the round trip.
    const isApart = Math.abs(aheadMs) > toleratedMs + tookMs / 2;
    if (isApart !== (this.#aheadMs !== 0)) {
      const seconds = Math.round(Math.abs(aheadMs) / 1000);
      const where = `${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`;
      log(isApart ? `this machine's clock is ${where}: the database's counts` : `this machine's clock is right again`);
    }
    this.#aheadMs = isApart ? aheadMs : 0;
  }

  /** Milliseconds that this machine's clock is ahead, and the length of the round trip, over an open connection. */
  async #compare(): Promise<{ readonly aheadMs: number; readonly tookMs: number }> {
    const { pool, localNow } = this.#options;
    const client = await pool.connect();
    let broken = true;
    let best = { aheadMs: 0, tookMs: Infinity };
    try {
      for (let n = 0; n < sampleCount; n += 1) {
        const sentAt = localNow();
        const { rows } = await client.query<{ at: number }>({
          name: 'database_clock',
          text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at',
        });
        const tookMs = localNow() - sentAt;
        const aheadMs = Math.round(sentAt + tookMs / 2 - (rows[0]?.at ?? sentAt));
        // Negative when the clock was set back meanwhile.
        if (Math.abs(tookMs) < best.tookMs) best = { aheadMs, tookMs: Math.abs(tookMs) };
      }
      broken = false;
    } finally {
      client.release(broken);
    }
    return best;
  }
}
