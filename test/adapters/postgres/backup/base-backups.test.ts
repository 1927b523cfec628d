// Base backups and the log of the embedded PostgreSQL, and the way back to a moment.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BaseFolder } from '../../../../src/adapters/postgres/backup/physical/base-folder.ts';
import { archivingSettings, postgresBases } from '../../../../src/adapters/postgres/backup/physical/postgres-bases.ts';
import { recoverBase } from '../../../../src/adapters/postgres/backup/physical/recover-base.ts';
import { parseHistory, parseSegment, segmentOf } from '../../../../src/adapters/postgres/backup/physical/wal.ts';
import type { EmbeddedServer } from '../../../../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../../../../src/adapters/postgres/schema/migrate.ts';
import { ownerRole, prepareCluster } from '../../../../src/adapters/postgres/setup/setup.ts';
import { BaseBackupLoop } from '../../../../src/domain/backup/base-backup-loop.ts';
import { start } from '../../../support/embedded-postgres/server-fixture.ts';
import { until } from '../../../support/until.ts';
import { isRoot } from '../../../support/process/is-root.ts';
import { smallDisk } from '../../../support/worker/small-disk.ts';

let dir: string;
let backupDir: string;
let server: EmbeddedServer;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'bases-'));
  backupDir = path.join(dir, 'backups');
  server = await start(path.join(dir, 'data'), { settings: archivingSettings });
  const { migration } = await prepareCluster(server.superuser);
  await migrate({ address: migration, ownerRole, log: () => undefined });
});
afterAll(async () => {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});

async function query(text: string, of: EmbeddedServer = server): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...of.superuser, database: 'switchyard' });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const basesIn = (folder: string) =>
  postgresBases({
    superuser: () => server.superuser,
    owner: server.owner,
    dir: folder,
    dropDir: path.join(dir, 'dropped'),
    keepDays: 7,
    now: Date.now,
  });

function openLoop(folder: string, maxWaitingBytes = 2 ** 31): BaseBackupLoop {
  return new BaseBackupLoop({
    bases: basesIn(folder),
    everyHours: 24,
    keepDays: 7,
    maxWaitingBytes,
    now: Date.now,
    log: () => undefined,
  });
}

/** The database's time, once everything before it is in BACKUP_DIR. */
async function storedTime(): Promise<number> {
  const [row] = await query('select clock_timestamp() as at');
  await query('select pg_switch_wal()');
  await until('the log is stored', async () => {
    const [waiting] = await query(
      `select count(*)::int as n from pg_ls_archive_statusdir() where name ~ '^[0-9A-F]{24}.ready$'`,
    );
    return waiting?.['n'] === 0 || undefined;
  });
  return row?.['at'] instanceof Date ? row['at'].getTime() : 0;
}

function recover(dataDir: string, toMs: number | undefined, from = backupDir) {
  return recoverBase({
    from,
    toMs,
    dataDir,
    asClone: false,
    env: process.env,
    log: () => undefined,
    onAudit: () => Promise.resolve(undefined),
  });
}

async function tenantsIn(dataDir: string): Promise<unknown[]> {
  await using recovered = await start(dataDir);
  return (await query('select tenant_id from tenants order by 1', recovered)).map((row) => row['tenant_id']);
}

const left = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('lock'));

describe('base backups', () => {
  it('lead back to before a delete, and to the end [platform-6.2.1] [platform-6.2.2]', async () => {
    await using loop = openLoop(backupDir);
    await query(`insert into tenants (tenant_id, name) values ('before', '')`);
    await loop.tick();
    await loop.settled();
    expect(loop.state.problem).toBeUndefined();
    await query(`insert into tenants (tenant_id, name) values ('after', '')`);
    const moment = await storedTime();
    await query(`delete from tenants where tenant_id = 'before'`);
    await storedTime();
    await loop.tick();
    // Segments are compressed, and smaller by far.
    const wal = (await readdir(path.join(backupDir, 'wal'))).filter((name) => parseSegment(name)?.form !== 'label');
    expect(wal.filter((name) => name.endsWith('.zst')).length).toBe(wal.length);
    expect((await stat(path.join(backupDir, 'wal', wal.at(-1) ?? ''))).size).toBeLessThan(1_000_000);

    const { recoveredTo } = await recover(path.join(dir, 'before'), moment);
    expect(recoveredTo).toBe(new Date(moment).toISOString());
    expect(await tenantsIn(path.join(dir, 'before'))).toEqual(['after', 'before']);
    await recover(path.join(dir, 'latest'), undefined);
    await using recovered = await start(path.join(dir, 'latest'));
    expect(await query('select tenant_id from tenants', recovered)).toEqual([{ tenant_id: 'after' }]);
    expect(
      await query('select kind, as_clone, settled_at is null as open, released_at from restores', recovered),
    ).toEqual([{ kind: 'base', as_clone: false, open: false, released_at: null }]);
  });

  it('refuse a moment that they do not cover, and leave nothing [platform-6.2.5]', async () => {
    const target = path.join(dir, 'uncovered');
    await expect(recover(target, Date.parse('2020-01-01T00:00:00Z'))).rejects.toMatchObject({
      code: 'time_not_covered',
    });
    await expect(recover(target, Date.now() + 3_600_000)).rejects.toMatchObject({ code: 'time_not_covered' });
    await expect(recover(target, undefined, path.join(dir, 'nowhere'))).rejects.toMatchObject({
      code: 'no_such_backup',
    });
    expect(await left(target)).toEqual([]);
  });

  it('are refused with a byte changed, and leave nothing [platform-6.2.5]', async () => {
    const [base] = await new BaseFolder(backupDir).list();
    const file = path.join(backupDir, 'bases', base?.id ?? '', 'base.tar.gz');
    const whole = await readFile(file);
    const target = path.join(dir, 'damaged');
    for (const at of [Math.floor(whole.length / 2), whole.length - 30]) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      await writeFile(file, changed);
      await expect(recover(target, undefined)).rejects.toMatchObject({ code: 'base_damaged' });
    }
    await writeFile(file, whole);
    const manifest = path.join(backupDir, 'bases', base?.id ?? '', 'backup_manifest');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('"Path": "PG_VERSION", "Size": 3', '"Path": "PG_VERSION", "Size": 4'));
    await expect(recover(target, undefined)).rejects.toMatchObject({ code: 'base_damaged' });
    await writeFile(manifest, text);
    expect(await left(target)).toEqual([]);
  });

  it.runIf(isRoot)('fail on a full disk while the database goes on [platform-6.2.3] [platform-6.2.8]', async () => {
    await using disk = await smallDisk(dir);
    const folder = path.join(disk.path, 'backups');
    await using loop = openLoop(folder, 0);
    await loop.tick();
    await loop.settled();
    expect(loop.state.problem).toContain('MB left');
    await query(`insert into tenants (tenant_id, name) values ('goes-on', ''); select pg_switch_wal()`);
    // A segment does not fit there: it waits, and at last the log is dropped.
    await until('the log is dropped', async () => {
      await loop.tick().catch(() => undefined);
      return (await basesIn(folder).archiving()).isDropping || undefined;
    });
    await query(`insert into tenants (tenant_id, name) values ('after-drop', '')`);
    // It is not taken up again before there is room.
    await expect(loop.tick()).rejects.toThrow('too little for the log');
    expect(loop.state.problem).toContain('too little for the log');
    // Room elsewhere: the log is stored again, from a new base backup on.
    const before = (await basesIn(backupDir).list()).length;
    await using again = openLoop(backupDir);
    await again.tick();
    await again.settled();
    expect((await basesIn(backupDir).list()).length).toBe(before + 1);
    await until('the log is stored again', async () => {
      await again.tick();
      return again.state.problem === undefined || undefined;
    });
  });

  it('are failing where the folder cannot be made, and the database goes on [platform-6.2.3]', async () => {
    const file = path.join(dir, 'a-file');
    await writeFile(file, '');
    await using loop = openLoop(path.join(file, 'backups'));
    await expect(loop.tick()).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(loop.state.problem).toMatch(/ENOTDIR|EEXIST/);
    expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('the folder of base backups', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');

  it('sets aside what another database left, and keeps it restorable for a while [platform-6.2.6]', async () => {
    const folder = new BaseFolder(path.join(dir, 'shared'));
    await folder.prepare('1', undefined, at);
    await mkdir(folder.baseDir('20250101T000000Z'));
    const base = { id: '20250101T000000Z', timeline: 1, startLsn: '0/0', endLsn: '0/0', bytes: 1 };
    const times = { startedAt: '2025-01-01T00:00:00.000Z', endedAt: '2025-01-01T00:00:01.000Z' };
    await folder.record({ ...base, ...times }, '1');
    await folder.prepare('1', undefined, at);
    expect(await folder.list()).toHaveLength(1);
    await folder.prepare('2', undefined, at);
    expect(await folder.list()).toEqual([]);
    expect(await new BaseFolder(path.join(folder.path, 'earlier-20260101T000000Z')).list()).toHaveLength(1);
    await folder.dropEarlier(Date.now() - 60_000);
    expect(await readdir(folder.path)).toContain('earlier-20260101T000000Z');
    await folder.dropEarlier(Date.now() + 60_000);
    expect(await readdir(folder.path)).not.toContain('earlier-20260101T000000Z');
  });

  it('loses half made base backups and the log that no whole one needs [platform-6.2.4]', async () => {
    const folder = new BaseFolder(path.join(dir, 'tidy'));
    await folder.prepare('1', undefined, at);
    const base = { id: 'whole', timeline: 2, startLsn: '1/2000028', endLsn: '1/3000000', bytes: 1 };
    const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:01.000Z' };
    for (const id of ['whole', 'half']) await mkdir(folder.baseDir(id));
    await folder.record({ ...base, ...times }, '1');
    const [older, needed] = ['000000010000000100000001', '000000020000000100000002'];
    const files = [
      `${older}.zst`,
      `${older}.00000028.backup`,
      needed,
      '000000020000000100000003.zst',
      '00000002.history',
    ];
    for (const name of files) await writeFile(path.join(folder.wal, name), Buffer.alloc(1000));
    await folder.tidy(await folder.list());
    expect(await readdir(folder.bases)).toEqual(['whole']);
    expect((await readdir(folder.wal)).toSorted()).toEqual([
      '00000002.history',
      `${needed}.zst`,
      '000000020000000100000003.zst',
    ]);
  });

  it('numbers the files of the log over all timelines', () => {
    expect(segmentOf('1/2000028')).toBe(256 + 2);
    expect(parseSegment('000000020000000100000002')).toMatchObject({ timeline: 2, number: 258, form: 'plain' });
    expect(parseSegment('archtemp.000000010000000000000001')).toBeUndefined();
    expect(parseHistory('1\t0/3000000\tbefore 2026\n\n2\t1/0\tno recovery target specified\n')).toEqual(
      new Map([
        [1, 0x3000000n],
        [2, 0x100000000n],
      ]),
    );
  });
});
