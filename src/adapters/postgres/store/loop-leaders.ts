// Leaders of background loops as rows that expire: when a replica dies, another takes over after the expiry.
//
// Rows and not advisory locks, because a lock lives as long as its connection, and the connection of a vanished machine
// lives for hours. Loops must still tolerate a second leader for a moment; most of them claim rows.
import type pg from 'pg';
import type { LoopLeaders } from '../../../domain/ports/loop-leaders.ts';
import { asAdmin } from './as-admin.ts';
import { isoTime } from '../codec/task-json.ts';

interface Row {
  readonly name: string;
  readonly leader: string | null;
  readonly interval_seconds: number;
  readonly ticks: string;
  readonly last_tick_at: Date | null;
  readonly last_error: string | null;
}

const deadlineMs = 5_000;

export function postgresLoopLeaders(pool: pg.Pool): LoopLeaders {
  return {
    async acquireLeadership(leader, loops, leaseSeconds) {
      const rows = await asAdmin<{ name: string }>(
        pool,
        // In one order, so that two replicas do not deadlock.
        `insert into loop_leaders as l (name, leader, leadership_expires_at, interval_seconds, ticks, last_tick_at, last_error)
         select x.name, $1, clock_timestamp() + make_interval(secs => $2), x."intervalSeconds", x.ticks,
           clock_timestamp() - make_interval(secs => x."secondsSinceTick"), x."lastError"
         from jsonb_to_recordset($3::jsonb) as x(name text, "intervalSeconds" double precision, ticks bigint,
           "secondsSinceTick" double precision, "lastError" text) order by x.name
         on conflict (name) do update set leader = excluded.leader, leadership_expires_at = excluded.leadership_expires_at,
           interval_seconds = excluded.interval_seconds, ticks = l.ticks + excluded.ticks,
           last_tick_at = coalesce(excluded.last_tick_at, l.last_tick_at),
           last_error = case when excluded.ticks > 0 then excluded.last_error else l.last_error end
         where l.leader = excluded.leader or l.leadership_expires_at < clock_timestamp()
         returning l.name`,
        [leader, leaseSeconds, JSON.stringify(loops)],
        deadlineMs,
      );
      return new Set(rows.map(({ name }) => name));
    },
    async resign(leader, loop) {
      const text = `update loop_leaders set leadership_expires_at = clock_timestamp()
        where leader = $1 and ($2::text is null or name = $2)`;
      await asAdmin(pool, text, [leader, loop ?? null], deadlineMs);
    },
    async list() {
      const rows = await asAdmin<Row>(
        pool,
        `select name, case when leadership_expires_at > clock_timestamp() then leader end as leader, interval_seconds, ticks,
           last_tick_at, last_error from loop_leaders order by name`,
        [],
        deadlineMs,
      );
      return rows.map((row) => ({
        name: row.name,
        leader: row.leader ?? undefined,
        intervalSeconds: row.interval_seconds,
        ticks: Number(row.ticks),
        lastTickAt: row.last_tick_at === null ? undefined : isoTime(row.last_tick_at),
        lastError: row.last_error ?? undefined,
      }));
    },
  };
}
