// The replicas of the service as rows that each of them refreshes.
import type pg from 'pg';
import type { Replicas } from '../../../domain/ports/replicas.ts';
import { isoTime } from '../codec/task-json.ts';
import { asAdmin } from './as-admin.ts';

interface Row {
  readonly name: string;
  readonly version: string;
  readonly host: string;
  readonly started_at: Date;
  readonly last_seen_at: Date;
  readonly reasons: string[];
}

const deadlineMs = 5_000;
/** A replica that died is shown for this long. */
const forgottenAfter = '10 minutes';

export function postgresReplicas(pool: pg.Pool): Replicas {
  return {
    async report({ name, version, host, startedAt, reasons }) {
      await asAdmin(
        pool,
        `with gone as (
           delete from service_replicas where last_seen_at < clock_timestamp() - interval '${forgottenAfter}' and name <> $1
         ) insert into service_replicas (name, version, host, started_at, reasons) values ($1, $2, $3, $4, $5)
         on conflict (name) do update set last_seen_at = clock_timestamp(), reasons = excluded.reasons`,
        [name, version, host, startedAt, [...reasons]],
        deadlineMs,
      );
    },
    async list() {
      const text = 'select name, version, host, started_at, last_seen_at, reasons from service_replicas order by name';
      const rows = await asAdmin<Row>(pool, text, [], deadlineMs);
      return rows.map((row) => ({
        name: row.name,
        version: row.version,
        host: row.host,
        startedAt: isoTime(row.started_at),
        lastSeenAt: isoTime(row.last_seen_at),
        reasons: row.reasons,
      }));
    },
    async leave(name) {
      await asAdmin(pool, 'delete from service_replicas where name = $1', [name], deadlineMs);
    },
  };
}
