// What time it is by the database's clock. Replicas whose own clocks disagree agree by it: on the order of ids and so on
// who is first in the queue, on deadlines, on the time that a webhook is signed at.
import type pg from 'pg';
import { translated } from './pg-errors.ts';

export interface DatabaseClockOptions {
  readonly pool: pg.Pool;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly localNow: () => number;
  readonly log: (line: string) => void;
}

/** The quickest of so many answers counts: one that took long, on a busy machine, says less. */
const sampleCount = 3;
/** Clocks that differ by less count as one: so far apart are machines that keep time. */
const toleratedMs = 1_000;

export class DatabaseClock {
  readonly #options: DatabaseClockOptions;
  #aheadMs = 0;

  /** Until it has asked, this machine's clock is believed. */
  constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#options.localNow() - this.#aheadMs;

  /** Compares the clocks. @throws DomainError unavailable; then it goes on as it knew before */
  async sync(): Promise<void> {
    const { log } = this.#options;
    const { aheadMs, tookMs } = await this.#compare().catch((error: unknown) => {
      throw translated(error);
    });
    // The answer may be as old as half of the time that it took.
    const isApart = Math.abs(aheadMs) > toleratedMs + tookMs / 2;
    if (isApart !== (this.#aheadMs !== 0)) {
      const seconds = Math.round(Math.abs(aheadMs) / 1000);
      const where = `${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`;
      log(isApart ? `this machine's clock is ${where}: the database's counts` : `this machine's clock is right again`);
    }
    this.#aheadMs = isApart ? aheadMs : 0;
  }

  /** How far this machine's clock is ahead, and how long the answer took: over a connection that stands already. */
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
        // A clock that is set back meanwhile makes it less than nothing.
        if (Math.abs(tookMs) < best.tookMs) best = { aheadMs, tookMs: Math.abs(tookMs) };
      }
      broken = false;
    } finally {
      client.release(broken);
    }
    return best;
  }
}
