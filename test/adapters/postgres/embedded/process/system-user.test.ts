// The user that PostgreSQL runs as: root in a user namespace, root as another user, an ordinary user, read-only node_modules.
import { chmod, mkdir, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pickSystemUser } from '../../../../../src/adapters/postgres/embedded/process/system-user.ts';
import { installedCopy, type InstalledCopy } from '../../../../support/embedded-postgres/installed-copy.ts';
import { JsonProgram } from '../../../../support/embedded-postgres/json-program.ts';
import {
  processesIn,
  query,
  refusal,
  start,
  statusOf,
  readableFolder,
  type TemporaryFolder,
} from '../../../../support/embedded-postgres/server-fixture.ts';
import { isRoot } from '../../../../support/process/is-root.ts';

const refusingUnshare = '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n';

/** A PATH on which `unshare` is refused, as in a container, with `setpriv` or without. */
async function refusingPath(folder: string, tools: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const bin = path.join(folder, `bin-${tools.join('-')}`);
  await mkdir(bin);
  await writeFile(path.join(bin, 'unshare'), refusingUnshare, { mode: 0o755 });
  for (const tool of tools) await symlink(`/usr/bin/${tool}`, path.join(bin, tool));
  return { PATH: bin };
}

describe.runIf(isRoot)('a service that runs as root', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  beforeAll(async () => {
    folder = await readableFolder();
    dataDir = path.join(folder.path, 'data');
  });
  afterAll(async () => folder[Symbol.asyncDispose]());

  test('starts PostgreSQL in a user namespace, where the files stay root’s', async () => {
    await using server = await start(dataDir);
    expect(await readlink(`/proc/${server.pid}/ns/user`)).not.toBe(await readlink('/proc/self/ns/user'));
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(0);
    await query(server.superuser, 'create table kept as select 5 as id');
  });

  test.each([
    ['with setpriv', ['setpriv']],
    ['without setpriv', []],
  ])('starts the same database as another user where namespaces are refused, %s', async (_name, tools) => {
    await using server = await start(dataDir, { env: await refusingPath(folder.path, tools) });
    expect(await readlink(`/proc/${server.pid}/ns/user`)).toBe(await readlink('/proc/self/ns/user'));
    const { uid } = await stat(path.join(dataDir, 'postgres'));
    expect(uid).not.toBe(0);
    expect(await statusOf(server.pid, 'Uid')).toBe(`${uid}\t${uid}\t${uid}\t${uid}`);
    expect((await statusOf(server.pid, 'Groups'))?.trim()).toBe('');
    expect(await statusOf(server.pid, 'CapEff')).toBe('0000000000000000');
    expect(await query(server.superuser, 'select id from kept')).toEqual([[5]]);
  });

  test('keeps its own files closed to that other user', async () => {
    expect((await stat(dataDir)).mode & 0o777).toBe(0o701);
    const { uid, mode } = await stat(path.join(dataDir, 'postgres-password'));
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o600 });
  });

  test('returns to the user namespace with the same database', async () => {
    await using server = await start(dataDir);
    expect(await query(server.superuser, 'select id from kept')).toEqual([[5]]);
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(0);
  });

  test('reaches a DATA_DIR below a folder that is closed to others', async () => {
    const closed = path.join(folder.path, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await using server = await start(path.join(closed, 'data'), { env: await refusingPath(closed, ['setpriv']) });
    const { uid } = await stat(path.join(closed, 'data', 'postgres'));
    expect(uid).not.toBe(0);
    expect(await statusOf(server.pid, 'Uid')).toBe(`${uid}\t${uid}\t${uid}\t${uid}`);
    expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
  });

  test('says what to do when it may become nobody else', async () => {
    const closed = path.join(folder.path, 'hopeless');
    await mkdir(closed, { mode: 0o700 });
    const refused = await refusal(start(path.join(closed, 'data'), { env: await refusingPath(closed, []) }));
    expect(refused.code).toBe('no_user_namespace');
    expect(refused.message).toContain('Operation not permitted');
    expect(refused.remedy).toMatch(/ordinary user.*DATABASE_URL/);
  });
});

describe.runIf(isRoot)('an installation of one’s own, without the links between the libraries', () => {
  const nobody = 65_534;
  const nameless = 54_321;
  let installed: InstalledCopy;
  beforeAll(async () => {
    installed = await installedCopy();
  });
  afterAll(async () => installed[Symbol.asyncDispose]());

  async function dataFolder(name: string): Promise<string> {
    const dir = path.join(installed.path, name);
    await mkdir(dir);
    await chmod(dir, 0o777);
    return path.join(dir, 'data');
  }

  function ordinary(uid: number, dataDir: string, env: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin' }): JsonProgram {
    return new JsonProgram({ command: [...installed.holder, dataDir], uid, env });
  }

  test('serves an ordinary user who may not write it, from a copy of the programs', async () => {
    const dataDir = await dataFolder('ordinary');
    // Cold, then warm.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await using service = ordinary(nobody, dataDir);
      const { pid = 0, superuser } = await service.message('ready');
      expect(await statusOf(pid, 'Uid')).toBe(`${nobody}\t${nobody}\t${nobody}\t${nobody}`);
      expect(await readlink(`/proc/${pid}/exe`)).toMatch(new RegExp(`^${dataDir}/postgres-programs-`));
      if (!superuser) throw new Error('no address');
      expect(await query(superuser, 'select 1')).toEqual([[1]]);
    }
    expect(await processesIn(dataDir)).toEqual([]);
    expect((await readdir(installed.libraries)).filter((name) => name === 'libicuuc.so.60')).toEqual([]);
  });

  test('serves a user id that has no name, as a container may be given, through a user namespace', async () => {
    const dataDir = await dataFolder('nameless');
    await using service = ordinary(nameless, dataDir);
    const { pid = 0 } = await service.message('ready');
    expect(await statusOf(pid, 'Uid')).toBe(`${nameless}\t${nameless}\t${nameless}\t${nameless}`);
  });

  test('says what to do for a user id without a name where namespaces are refused', async () => {
    const dataDir = await dataFolder('nameless-contained');
    await using service = ordinary(nameless, dataDir, await refusingPath(installed.path, []));
    const failed = await service.message('failed', 'ready');
    expect(failed).toMatchObject({ event: 'failed', code: 'no_user_namespace' });
    expect(failed.message).toContain('has no name');
    expect(failed.remedy).toContain('/etc/passwd');
    expect((await readdir(dataDir)).filter((name) => name.includes('half'))).toEqual([]);
  });

  test('says to an ordinary user why it cannot use its DATA_DIR', async () => {
    const dir = path.join(installed.path, 'not-his');
    await mkdir(dir, { mode: 0o700 });
    await using service = ordinary(nobody, path.join(dir, 'data'));
    const failed = await service.message('ready', 'failed');
    expect(failed.code).toBe('data_dir_unwritable');
    expect(failed.remedy).toContain('DATA_DIR');
  });

  test('gives root’s other user a copy when node_modules is closed to others', async () => {
    const dataDir = await dataFolder('closed-modules');
    const modules = path.join(installed.path, 'node_modules');
    await chmod(modules, 0o700);
    try {
      await using service = new JsonProgram({
        command: [...installed.holder, dataDir],
        env: await refusingPath(installed.path, ['setpriv']),
      });
      const { pid = 0 } = await service.message('ready');
      expect(await statusOf(pid, 'Uid')).toMatch(/^[1-9]/);
      expect(await readlink(`/proc/${pid}/exe`)).toMatch(new RegExp(`^${dataDir}/postgres-programs-`));
    } finally {
      await chmod(modules, 0o755);
    }
  });

  test('is mended in place by a user who may write it', async () => {
    const dataDir = await dataFolder('root');
    await rm(path.join(installed.libraries, 'libicuuc.so.60'), { force: true });
    await using service = new JsonProgram({ command: [...installed.holder, dataDir] });
    const { pid = 0 } = await service.message('ready');
    expect(await readlink(`/proc/${pid}/exe`)).toMatch(new RegExp(`^${installed.path}/node_modules/`));
    expect(await readlink(path.join(installed.libraries, 'libicuuc.so.60'))).toBe('libicuuc.so.60.2');
  });
});

test('the other user is postgres or nobody, never root', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/:\nnobody:x:65534:65533::/:\n';
  expect(pickSystemUser(`${passwd}postgres:x:101:104::/:\n`)).toEqual({ uid: 101, gid: 104 });
  expect(pickSystemUser(passwd)).toEqual({ uid: 65_534, gid: 65_533 });
  expect(pickSystemUser('root:x:0:0:::\nann:x:1000:1001:::\n')).toEqual({ uid: 1000, gid: 1001 });
  expect(pickSystemUser('root:x:0:0:::\n')).toBeUndefined();
});
