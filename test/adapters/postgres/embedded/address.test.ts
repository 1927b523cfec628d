// The place of the socket: in DATA_DIR, or, when that path is too long for a socket, in a private temporary folder.
import { lstat, mkdir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { query, start, startHolder, readableFolder } from '../../../support/embedded-postgres/server-fixture.ts';

describe('the socket', () => {
  test('works in a folder whose name has spaces, commas, quotes and letters of other scripts', async () => {
    await using folder = await readableFolder();
    const dataDir = path.join(folder.path, `a, "b" 'ç' %d`);
    await using server = await start(dataDir);
    expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
    expect(path.dirname(server.superuser.host)).toBe(await realpath(dataDir));
  });

  test('moves to a private temporary folder when its path is longer than 107 bytes, and goes with the server', async () => {
    await using folder = await readableFolder();
    const dataDir = path.join(folder.path, 'd'.repeat(100), 'data');
    const server = await start(dataDir);
    const socketFolder = server.superuser.host;
    expect(path.join(socketFolder, '.s.PGSQL.5432').length).toBeLessThanOrEqual(107);
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
    expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
    await server.stop();
    await expect(stat(socketFolder)).rejects.toThrow('ENOENT');
    await expect(lstat(path.join(dataDir, 'socket'))).rejects.toThrow('ENOENT');
  });

  test('leaves no temporary folder after a kill -9 and the next start', async () => {
    await using folder = await readableFolder();
    const dataDir = path.join(folder.path, 'd'.repeat(100), 'data');
    await using service = startHolder(dataDir);
    const { superuser } = await service.message('ready');
    await service.kill('SIGKILL');
    expect((await stat(superuser?.host ?? '')).isDirectory()).toBe(true);
    await using server = await start(dataDir);
    expect(server.superuser.host).not.toBe(superuser?.host);
    await expect(stat(superuser?.host ?? '')).rejects.toThrow('ENOENT');
    expect(await readlink(path.join(dataDir, 'socket'))).toBe(server.superuser.host);
  });

  test('stays where it is when the path has just 107 bytes', async () => {
    await using folder = await readableFolder();
    const rest = 107 - Buffer.byteLength(path.join(await realpath(folder.path), 'x', 'socket', '.s.PGSQL.5432'));
    const dataDir = path.join(await realpath(folder.path), 'x'.repeat(rest + 1));
    await mkdir(dataDir);
    await using server = await start(dataDir);
    expect(server.superuser.host).toBe(path.join(dataDir, 'socket'));
    expect(await query(server.superuser, 'select 1')).toEqual([[1]]);
  });
});
