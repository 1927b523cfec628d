// The embedded PostgreSQL in ordinary life: start, settings, stop, crash, restart.
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedServer } from '../../../../src/adapters/postgres/embedded/server.ts';
import {
  copyDataDir,
  processesIn,
  query,
  start,
  statusOf,
  readableFolder,
  type TemporaryFolder,
} from '../../../support/embedded-postgres/server-fixture.ts';

describe('a started server', () => {
  let folder: TemporaryFolder;
  let server: EmbeddedServer;
  const log: string[] = [];
  beforeAll(async () => {
    folder = await readableFolder();
    server = await start(path.join(folder.path, 'data'), { log, env: { ...process.env, SOME_TOKEN: 'a-secret' } });
  });
  afterAll(async () => {
    await server.stop();
    await folder[Symbol.asyncDispose]();
  });

  test.each([
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['data_checksums', 'on'],
    ['server_encoding', 'UTF8'],
    ['listen_addresses', ''],
    ['max_connections', '60'],
    ['shared_buffers', '64MB'],
    ['TimeZone', 'UTC'],
  ])('runs with %s = %s', async (name, value) => {
    expect(await query(server.superuser, `show ${name}`)).toEqual([[value]]);
  });

  test('keeps the superuser’s password as a SCRAM secret and refuses another password', async () => {
    const [[secret] = []] = await query(
      server.superuser,
      `select rolpassword from pg_authid where rolname = 'postgres'`,
    );
    expect(secret).toMatch(/^SCRAM-SHA-256\$/);
    await expect(query({ ...server.superuser, password: 'another' }, 'select 1')).rejects.toThrow(
      /authentication failed/,
    );
  });

  test('orders text by code point and knows the case of every letter', async () => {
    const rows = await query(server.superuser, `select lower('ÄŠ'), 'Z' < 'a', 'ÄPFEL' ilike 'äpfel'`);
    expect(rows).toEqual([['äš', true, true]]);
  });

  test('lets nobody else read the password or reach the socket', async () => {
    const dataDir = path.join(folder.path, 'data');
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    expect((await stat(server.superuser.host)).mode & 0o777).toBe(0o700);
  });

  test('shows no secret in the arguments or the environment of its processes', async () => {
    const processes = await processesIn(path.join(folder.path, 'data', 'postgres'));
    expect(processes).toContain(server.pid);
    for (const pid of processes) {
      const shown = (await readFile(`/proc/${pid}/cmdline`, 'utf8')) + (await readFile(`/proc/${pid}/environ`, 'utf8'));
      expect(shown).not.toContain(server.superuser.password);
      expect(shown).not.toContain('a-secret');
    }
  });

  test('stands in a session of its own, out of reach of the terminal’s Ctrl-C', async () => {
    expect((await statusOf(server.pid, 'NSsid'))?.split(/\s+/)[0]).toBe(String(server.pid));
  });

  test('passes its warnings on to the log, but not the errors that a client has got', async () => {
    await query(server.superuser, `do $$ begin raise warning 'to be seen'; end $$`);
    await expect(query(server.superuser, `select 1 / 0`)).rejects.toThrow('division by zero');
    await query(server.superuser, `do $$ begin raise warning 'the last'; end $$`);
    await expect.poll(() => log.some((line) => line.includes('the last')), { timeout: 60_000 }).toBe(true);
    expect(log.filter((line) => line.includes('to be seen'))).toHaveLength(1);
    expect(log.join('\n')).not.toContain('division by zero');
  });
});

describe('stop and restart', () => {
  let made: TemporaryFolder;
  beforeAll(async () => {
    made = await readableFolder();
    await using server = await start(path.join(made.path, 'data'));
    await query(server.superuser, 'create table kept (id int)');
  });
  afterAll(async () => made[Symbol.asyncDispose]());

  async function freshCopy(): Promise<TemporaryFolder & { dataDir: string }> {
    const folder = await readableFolder();
    return { ...folder, dataDir: await copyDataDir(path.join(made.path, 'data'), path.join(folder.path, 'data')) };
  }

  test('stop() leaves no process behind, may be called twice, and is no crash', async () => {
    await using folder = await freshCopy();
    const server = await start(folder.dataDir);
    const crashed: string[] = [];
    void server.crashed.then((line) => crashed.push(line));
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(await processesIn(folder.dataDir)).toEqual([]);
    expect(crashed).toEqual([]);
  });

  test('the next start finds the data and the same password', async () => {
    await using folder = await freshCopy();
    const first = await start(folder.dataDir);
    await query(first.superuser, 'insert into kept values (7)');
    await first.stop();
    await using second = await start(folder.dataDir);
    expect(await query(second.superuser, 'select id from kept')).toEqual([[7]]);
    expect(second.superuser.password).toBe(first.superuser.password);
  });

  test('settings that are passed win over the defaults', async () => {
    await using folder = await freshCopy();
    await using server = await start(folder.dataDir, { settings: { fsync: 'off', work_mem: '9MB' } });
    expect(await query(server.superuser, 'show fsync')).toEqual([['off']]);
    expect(await query(server.superuser, 'show work_mem')).toEqual([['9MB']]);
  });

  test('a kill -9 of PostgreSQL resolves `crashed`, and what was committed is there after the next start', async () => {
    await using folder = await freshCopy();
    const server = await start(folder.dataDir);
    await query(server.superuser, 'insert into kept values (9)');
    process.kill(server.pid, 'SIGKILL');
    expect(await server.crashed).toMatch(new RegExp(`process ${server.pid}.*SIGKILL`));
    await server.stop();
    await using next = await start(folder.dataDir);
    expect(await query(next.superuser, 'select id from kept')).toEqual([[9]]);
  });

  test('a start that is aborted rejects with the reason and leaves neither process nor lock', async () => {
    await using folder = await freshCopy();
    const abort = new AbortController();
    const starting = start(folder.dataDir, { signal: abort.signal });
    const reason = new Error('the user pressed Ctrl-C');
    setImmediate(() => abort.abort(reason));
    await expect(starting).rejects.toBe(reason);
    expect(await processesIn(folder.dataDir)).toEqual([]);
    await using server = await start(folder.dataDir);
    expect(await query(server.superuser, 'select count(*)::int from kept')).toEqual([[0]]);
  });

  test('a lost password file is replaced, and the data stays', async () => {
    await using folder = await freshCopy();
    await rm(path.join(folder.dataDir, 'postgres-password'));
    await using server = await start(folder.dataDir);
    expect(await query(server.superuser, 'select count(*)::int from kept')).toEqual([[0]]);
  });
});
