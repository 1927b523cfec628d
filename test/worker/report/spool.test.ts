// The spool on a real disk: what is in it is whole or not there, for its owner alone, bounded, and never in the way.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/worker/base/clock.ts';
import { Spool, type NewSpoolRecord, type SpoolOptions } from '../../../src/worker/report/spool.ts';
import { isRoot } from '../../support/process/is-root.ts';
import { smallDisk } from '../../support/worker/small-disk.ts';
import { openRecordedLog, type RecordedLog } from '../../support/worker/worker-parts.ts';
import { workerFolder } from '../../support/worker/local-worker.ts';

const task = '01890000-0000-7000-8000-000000000001';

function owed(n: number, text = 'fine'): NewSpoolRecord {
  const lease_token = `01890000-0000-7000-8000-00000000000${n}`;
  const release = { lease_token, status: 'completed', result: text } as const;
  return { task_id: task, title: 'a task', lease_token, events: [{ type: 'progress', n: 1, message: 'm' }], release };
}

function open(stateDir: string, options: Partial<SpoolOptions> = {}): { spool: Spool; log: RecordedLog } {
  const log = openRecordedLog();
  const spoolOptions = { stateDir, serverUrl: 'http://127.0.0.1:8000', maxBytes: 1_000_000, clock: systemClock };
  return { spool: new Spool({ ...spoolOptions, log: log.log, ...options }), log };
}

describe('the spool', () => {
  it('keeps undelivered results for the next start, readable only by its owner, until they are settled', async () => {
    await using folder = await workerFolder();
    const { spool } = open(folder.path);
    expect(await spool.records()).toEqual([]);
    expect(await spool.put(owed(1, 'first'))).toBe(true);
    expect(await spool.put(owed(2))).toBe(true);
    expect(await spool.put(owed(1, 'again'))).toBe(true);
    const later = open(folder.path, { serverUrl: 'http://127.0.0.1:8000/' }).spool;
    expect((await later.records()).map(({ lease_token }) => lease_token)).toEqual(
      [owed(2), owed(1)].map((o) => o.lease_token),
    );
    expect((await later.records()).at(1)).toMatchObject(owed(1, 'again'));
    const files = await readdir(join(folder.path, 'spool'));
    expect(files.filter((name) => name.endsWith('.json'))).toHaveLength(2);
    expect(files.join(' ')).not.toContain(owed(1).lease_token);
    for (const name of files) {
      const { mode } = await stat(join(folder.path, 'spool', name));
      expect((mode & 0o077).toString(8), name).toBe('0');
    }
    await later.settle(owed(1).lease_token);
    expect(await later.count()).toEqual({ waiting: 1, dead: 0 });
  });

  it('returns no records of another service', async () => {
    await using folder = await workerFolder();
    await open(folder.path).spool.put(owed(1));
    const other = open(folder.path, { serverUrl: 'http://127.0.0.1:9000' });
    expect(await other.spool.records()).toEqual([]);
    expect(other.log.text()).toContain('for another service');
    expect(await open(folder.path).spool.records()).toHaveLength(1);
  });

  it('moves damaged records to the dead letters and returns the others', async () => {
    await using folder = await workerFolder();
    const { spool, log } = open(folder.path);
    await spool.put(owed(1));
    const half = JSON.stringify(owed(2)).slice(0, 60);
    for (const [name, text] of Object.entries({ a: '', b: half, c: '{"version":9}', d: '\0\0\0' })) {
      await writeFile(join(folder.path, 'spool', `${name}.json`), text);
    }
    await writeFile(join(folder.path, 'spool', 'e.json.1.new'), half);
    await mkdir(join(folder.path, 'spool', 'f.json'));
    expect(await spool.records()).toMatchObject([owed(1)]);
    expect((await readdir(join(folder.path, 'spool', 'dead'))).toSorted()).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `${name}.json.corrupt`),
    );
    expect(await readFile(join(folder.path, 'spool/dead/b.json.corrupt'), 'utf8')).toBe(half);
    expect(log.text().split('could not read a spooled result')).toHaveLength(5);
    expect(await spool.count()).toEqual({ waiting: 1, dead: 4 });
  });

  it('keeps a permanently refused result with the reason', async () => {
    await using folder = await workerFolder();
    const { spool } = open(folder.path);
    await spool.put(owed(1));
    const file = await spool.deadLetter(owed(1), 'lease_lost');
    expect(await spool.count()).toEqual({ waiting: 0, dead: 1 });
    expect(JSON.parse(await readFile(file ?? '', 'utf8'))).toMatchObject({ ...owed(1), reason: 'lease_lost' });
  });

  it('stays below its size limit by removing dead letters, never undelivered records', async () => {
    await using folder = await workerFolder();
    const { spool, log } = open(folder.path, { maxBytes: 10_000 });
    for (const n of [1, 2, 3]) await spool.deadLetter(owed(n, 'x'.repeat(2000)), 'no');
    expect(await spool.put(owed(4, 'x'.repeat(4000)))).toBe(true);
    expect(await spool.count()).toEqual({ waiting: 1, dead: 2 });
    expect(await spool.put(owed(5, 'x'.repeat(6000)))).toBe(false);
    expect((await spool.records()).map(({ lease_token }) => lease_token)).toEqual([owed(4).lease_token]);
    expect(log.text()).toContain('spool_max_bytes');
  });

  it.runIf(isRoot)(
    'says once that the disk is full, keeps what it has, and writes again when there is room',
    async () => {
      await using folder = await workerFolder();
      await using disk = await smallDisk(folder.path);
      const { spool, log } = open(disk.path);
      await spool.put(owed(1));
      await disk.fill();
      expect(await spool.put(owed(2, 'x'.repeat(100_000)))).toBe(false);
      expect(await spool.put(owed(1, 'x'.repeat(100_000)))).toBe(false);
      expect(log.text().split('could not write the spool')).toHaveLength(2);
      expect(await spool.records()).toMatchObject([owed(1)]);
      expect((await readdir(join(disk.path, 'spool'))).filter((name) => name.endsWith('.new'))).toEqual([]);
      await disk.empty();
      expect(await spool.put(owed(2, 'x'.repeat(100_000)))).toBe(true);
      expect(await spool.records()).toHaveLength(2);
    },
  );
});
