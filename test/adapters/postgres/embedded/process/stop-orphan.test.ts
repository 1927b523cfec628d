// Leftovers of a killed service: its PostgreSQL, stale process ids, a half-made cluster.
import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import {
  copyDataDir,
  processesIn,
  query,
  refusal,
  start,
  startHolder,
  statusOf,
  readableFolder,
  type TemporaryFolder,
} from '../../../../support/embedded-postgres/server-fixture.ts';
import { suspendProcess } from '../../../../support/process/suspend-process.ts';
import { until } from '../../../../support/until.ts';

/** A PATH with `unshare` only: without `setpriv` PostgreSQL is not stopped when its service is killed. */
async function pathWithoutSetpriv(folder: string): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await symlink('/usr/bin/unshare', path.join(bin, 'unshare'));
  return bin;
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

describe('after a kill -9 of the service', () => {
  let made: TemporaryFolder;
  let folder: TemporaryFolder;
  let dataDir: string;
  beforeAll(async () => {
    made = await readableFolder();
    await using server = await start(path.join(made.path, 'data'));
    await query(server.superuser, 'create table kept (id int)');
  });
  afterAll(async () => made[Symbol.asyncDispose]());

  async function fresh(): Promise<TemporaryFolder> {
    folder = await readableFolder();
    dataDir = await copyDataDir(path.join(made.path, 'data'), path.join(folder.path, 'data'));
    return folder;
  }

  test('PostgreSQL ends by itself where Linux can signal it', async () => {
    await using _ = await fresh();
    await using service = startHolder(dataDir);
    await service.message('ready');
    await service.kill('SIGKILL');
    await expect.poll(async () => processesIn(dataDir), { timeout: 60_000 }).toEqual([]);
  });

  test('the next start stops the orphan and serves what it had committed', async () => {
    await using _ = await fresh();
    await using service = startHolder(dataDir, { env: { PATH: await pathWithoutSetpriv(folder.path) } });
    const { pid = 0, superuser } = await service.message('ready');
    if (!superuser) throw new Error('no address');
    await query(superuser, 'insert into kept values (1)');
    await service.kill('SIGKILL');
    expect(await statusOf(pid, 'Name')).toBe('postgres');
    const log: string[] = [];
    await using server = await start(dataDir, { log });
    expect(log.join('\n')).toContain(`Stopping the PostgreSQL (process ${pid})`);
    expect(server.pid).not.toBe(pid);
    expect(await query(server.superuser, 'select id from kept')).toEqual([[1]]);
    expect(await processesIn(dataDir)).not.toContain(pid);
  });

  test('two starts at once after it: one stops the orphan and serves, the other names the process that holds the folder', async () => {
    await using _ = await fresh();
    await using service = startHolder(dataDir, { env: { PATH: await pathWithoutSetpriv(folder.path) } });
    await service.message('ready');
    await service.kill('SIGKILL');
    await using first = startHolder(dataDir);
    await using second = startHolder(dataDir);
    const outcomes = await Promise.all([first.message('ready', 'failed'), second.message('ready', 'failed')]);
    const loser = outcomes.find(({ event }) => event === 'failed');
    const winner = outcomes[0].event === 'ready' ? first : second;
    expect(outcomes.map(({ event }) => event).toSorted()).toEqual(['failed', 'ready']);
    expect(loser?.code).toBe('data_dir_locked');
    expect(loser?.message).toContain(`process ${winner.pid}`);
  });

  test('a process that has the number of the old PostgreSQL now is left alone', async () => {
    await using _ = await fresh();
    const stranger = spawn('sleep', ['300'], { cwd: path.join(dataDir, 'postgres'), stdio: 'ignore' });
    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), `${stranger.pid}\n${dataDir}/postgres\n`);
    await mkdir(path.join(dataDir, 'socket'), { recursive: true });
    await writeFile(path.join(dataDir, 'socket', '.s.PGSQL.5432.lock'), `${stranger.pid}\n`);
    try {
      await using server = await start(dataDir);
      expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    } finally {
      await end(stranger);
    }
  });

  test('a zombie of the old PostgreSQL, which its parent never reaps, does not hold up the start', async () => {
    await using _ = await fresh();
    // A shell's child that ends after the shell has become `sleep` has a parent that never waits for it.
    const parent = spawn('sh', ['-c', 'sleep 300 & echo $!; exec sleep 300'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    try {
      const [output] = await once(parent.stdout, 'data');
      const zombie = Number(String(output).trim());
      await until('sh has become sleep', async () => (await statusOf(parent.pid ?? 0, 'Name')) === 'sleep');
      process.kill(zombie, 'SIGKILL');
      await until('it is a zombie', async () => (await statusOf(zombie, 'State'))?.startsWith('Z') === true);
      await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), `${zombie}\n${dataDir}/postgres\n`);
      await using server = await start(dataDir);
      expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
    } finally {
      await end(parent);
    }
  });

  test('a start waits for a session of the killed PostgreSQL that still has the memory open', async () => {
    await using _ = await fresh();
    await using service = startHolder(dataDir, { env: { PATH: await pathWithoutSetpriv(folder.path) } });
    const { pid: postmaster = 0, superuser } = await service.message('ready');
    const client = new Client(superuser);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const session = rows[0]?.pid ?? 0;
    await suspendProcess(session);
    try {
      await service.kill('SIGKILL');
      process.kill(postmaster, 'SIGKILL');
      await until('all but the session are gone', async () => (await processesIn(dataDir)).join() === String(session));
      const log: string[] = [];
      const starting = start(dataDir, { log });
      await until('the start waits', async () =>
        log.some((line) => line.startsWith('Waiting for the process that still holds')),
      );
      process.kill(session, 'SIGKILL');
      await using server = await starting;
      expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
    } finally {
      await client.end();
    }
  });

  test('during the first start, the half-made cluster is removed and made anew', async () => {
    await using empty = await readableFolder();
    const data = path.join(empty.path, 'data');
    await using service = startHolder(data);
    await until('initdb is at work', async () => {
      const [half] = (await readdir(data).catch(() => [])).filter((name) => name.startsWith('postgres-half-made-'));
      if (half === undefined) return false;
      return (await readFile(path.join(data, half, 'cluster', 'PG_VERSION'), 'utf8').catch(() => '')) !== '';
    });
    await service.kill('SIGKILL');
    const log: string[] = [];
    await using server = await start(data, { log });
    expect(log.join('\n')).toContain('left by a first start that was interrupted');
    expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
    expect((await readdir(data)).filter((name) => name.includes('half'))).toEqual([]);
  });

  test('a second service on the same folder is refused with the first one’s process id', async () => {
    await using _ = await fresh();
    await using service = startHolder(dataDir);
    await service.message('ready');
    const refused = await refusal(start(dataDir));
    expect(refused).toMatchObject({ code: 'data_dir_locked' });
    expect(refused.message).toContain(`process ${service.pid}`);
    expect(refused.remedy).toContain(`Stop process ${service.pid}`);
  });
});
