// Measures backup and restore: `node bench/backup.ts [tasks]`. Rates of an archive out and in and of a base backup, and how long a
// submit takes meanwhile. Figures for ten million tasks are extrapolated by rows, which is what the time is proportional to.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { packArchive, writeWhole } from '../src/adapters/postgres/backup/archive/archive-file.ts';
import { writeArchive } from '../src/adapters/postgres/backup/archive/archive-writer.ts';
import { archivingSettings, postgresBases } from '../src/adapters/postgres/backup/physical/postgres-bases.ts';
import { restoreEmbedded } from '../src/adapters/postgres/backup/restore/restore-embedded.ts';
import { verifyArchive } from '../src/adapters/postgres/backup/restore/verify-archive.ts';
import { openSnapshot } from '../src/adapters/postgres/backup/tables/dump-tables.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../src/adapters/postgres/schema/migrate.ts';
import { ownerRole, prepareCluster } from '../src/adapters/postgres/setup/setup.ts';

const tasks = Number(process.argv[2] ?? 200_000);
const wanted = 10_000_000;
/** Submits of one connection, each a commit, as fast as they go. */
const calmMs = 5_000;

interface Timed<T> {
  readonly value: T;
  readonly seconds: number;
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const began = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - began) / 1000 };
}

/** Tasks with their first event, as a submit leaves them. */
async function fill(address: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(`insert into tenants values ('bench', '')`);
    await client.query(`insert into routes (tenant_id, route_id, codebase_id) values ('bench', 'r', 'global')`);
    await client.query(
      `with made as (
         insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, codebase_id, created_by)
         select 'bench', make_uuid7(), 'r', gen_random_uuid(), 3, 'task ' || n, repeat(md5(n::text), 4), 'global', 'token:bench'
         from generate_series(1, $1::integer) n returning tenant_id, id)
       insert into task_events (tenant_id, task_id, seq, type, data)
       select tenant_id, id, 1, 'status', jsonb_build_object('status', 'pending') from made`,
      [tasks],
    );
    await client.query('analyze tasks, task_events');
  } finally {
    await client.end();
  }
}

/** Milliseconds of each submit while the work lasts. */
async function submitsDuring(address: pg.ClientConfig, work: () => Promise<unknown>): Promise<number[]> {
  const client = new pg.Client(address);
  await client.connect();
  const times: number[] = [];
  const over = new AbortController();
  const submitting = (async () => {
    while (!over.signal.aborted) {
      const began = performance.now();
      await client.query(
        `with made as (
           insert into tasks (tenant_id, id, route_id, run_id, max_attempts, title, prompt, codebase_id, created_by)
           values ('bench', make_uuid7(), 'r', gen_random_uuid(), 3, 't', 'p', 'global', 'token:bench') returning tenant_id, id)
         insert into task_events (tenant_id, task_id, seq, type, data)
         select tenant_id, id, 1, 'status', '{"status": "pending"}' from made`,
      );
      times.push(performance.now() - began);
    }
  })();
  try {
    await work();
  } finally {
    over.abort();
    await submitting;
    await client.end();
  }
  return times;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

const dir = await mkdtemp(path.join(tmpdir(), 'bench-backup-'));
try {
  const dataDir = path.join(dir, 'data');
  const file = path.join(dir, 'archive');
  const env = process.env;
  const results: Record<string, unknown> = { tasks };
  let archiveSeconds = 0;
  {
    await using server = await startEmbeddedPostgres({
      dataDir,
      env,
      log: () => undefined,
      settings: archivingSettings,
    });
    const { service, migration } = await prepareCluster(server.superuser);
    await migrate({ address: migration, ownerRole, log: () => undefined });
    const address = { ...server.superuser, database: 'switchyard' };
    await fill(address);
    const calm = await submitsDuring(address, () => new Promise((resolve) => setTimeout(resolve, calmMs)));
    results['submit_p99_ms'] = round(percentile(calm, 0.99));
    const backUp = async (): Promise<number> => {
      await using snapshot = await openSnapshot(service, 'bench');
      const archive = writeArchive({
        header: snapshot.header,
        rows: (table, part) => snapshot.rows(table, part),
        async *auditFiles() {},
      });
      return await writeWhole(file, await packArchive(archive, []));
    };
    const alone = await timed(backUp);
    archiveSeconds = alone.seconds;
    results['archive_seconds'] = round(archiveSeconds);
    results['archive_mb'] = round(alone.value / 1e6);
    const during = await submitsDuring(address, backUp);
    results['submit_p99_during_archive_ms'] = round(percentile(during, 0.99));
    const bases = postgresBases({
      superuser: () => server.superuser,
      owner: server.owner,
      dir: path.join(dir, 'backups'),
      dropDir: path.join(dir, 'dropped'),
      keepDays: 7,
      now: Date.now,
    });
    await bases.prepare();
    const { signal } = new AbortController();
    let base = 0;
    const duringBase = await submitsDuring(address, async () => {
      const taken = await timed(() => bases.take(signal));
      base = taken.seconds;
      results['base_mb'] = round(taken.value.bytes / 1e6);
    });
    results['base_seconds'] = round(base);
    results['submit_p99_during_base_ms'] = round(percentile(duringBase, 0.99));
  }
  const verified = await timed(() => verifyArchive({ file, identities: [] }));
  results['verify_seconds'] = round(verified.seconds);
  const loaded = { first: Number.NaN, last: Number.NaN };
  const restored = await timed(() =>
    restoreEmbedded({
      onProgress({ step }) {
        if (step !== 'load') return;
        loaded.last = performance.now();
        if (Number.isNaN(loaded.first)) loaded.first = loaded.last;
      },
      file,
      identities: [],
      summary: verified.value,
      asClone: false,
      dataDir: path.join(dir, 'restored'),
      env,
      log: () => undefined,
      audit: () => ({ findChain: () => Promise.resolve(undefined) }),
    }),
  );
  results['restore_seconds'] = round(restored.seconds);
  // The rest of a restore is the same for any number of rows: a new cluster, migrations, the proof of isolation.
  const loadSeconds = (loaded.last - loaded.first) / 1000;
  results['restore_rows_seconds'] = round(loadSeconds);
  results['peak_memory_mb'] = round(process.resourceUsage().maxRSS / 1024, 0);
  results['archive_file_mb'] = round((await stat(file)).size / 1e6);
  const factor = wanted / tasks;
  results['extrapolated_to_10_million'] = {
    archive_minutes: round((archiveSeconds * factor) / 60, 1),
    restore_minutes: round((loadSeconds * factor + restored.seconds - loadSeconds) / 60, 1),
  };
  process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
} finally {
  await rm(dir, { recursive: true, force: true });
}
