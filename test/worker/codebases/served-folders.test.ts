// The folders that a worker serves: a corpus of hostile paths against every kind of roots and every workspace mode. choices-3.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServedFolders, declaredRoots } from '../../../src/worker/codebases/served-folders.ts';
import { workerFolder, type Folder } from '../../support/worker/local-worker.ts';

let folder: Folder;
beforeAll(async () => {
  folder = await workerFolder();
  await mkdir(join(folder.path, 'home', '.switchyard', 'workers'), { recursive: true });
  await mkdir(join(folder.path, 'home', 'app'));
  await writeFile(join(folder.path, 'home', 'token'), 'secret');
  await symlink(join(folder.path, 'home', '.switchyard'), join(folder.path, 'link-to-data'));
  await symlink('/proc/self', join(folder.path, 'link-to-proc'));
  await symlink('/', join(folder.path, 'link-to-root'));
});
afterAll(() => folder[Symbol.asyncDispose]());

const below = (path: string): string => join(folder.path, path);

/** Each shows what belongs to the worker or to the system. */
const hostile: (() => string)[] = [
  () => '/',
  () => '//',
  () => '/proc',
  () => '/proc/self',
  () => '/proc/self/root',
  () => `/proc/${process.pid}/cwd`,
  () => '/proc/self/fd',
  () => '/sys',
  () => '/dev',
  () => '/dev/fd',
  () => '/run',
  () => '/var/run',
  () => '/etc/../proc/self',
  () => below('home/.switchyard'),
  () => below('home/.switchyard/'),
  () => below('home/.switchyard/workers'),
  () => below('home/./.switchyard'),
  () => below('home/app/../.switchyard'),
  () => below('home'),
  () => folder.path,
  () => below('link-to-data'),
  () => below('link-to-data/workers'),
  () => below('link-to-proc'),
  () => below('link-to-root'),
  () => below('link-to-root/proc'),
];

const everyRoots: [string, () => string[]][] = [
  ['all folders', () => ['*']],
  ['the root of the machine', () => ['/']],
  ['the folder above', () => [folder.path]],
  ['the very path', () => hostile.map((path) => path())],
  ['none', () => []],
];

describe('a folder of the worker or of the system', () => {
  it.each(everyRoots)('is always closed with the roots %s [choices-3.134]', async (_name, roots) => {
    const closed = [below('home/.switchyard'), below('home/token')];
    const folders = createServedFolders({ configured: [], roots: roots(), closedPaths: closed });
    for (const path of hostile.map((one) => one())) {
      for (const mayNameAny of [true, false]) {
        expect([path, await folders.checkPath(path, mayNameAny)]).toMatchObject([path, { code: 'path_not_allowed' }]);
      }
      for (const mode of ['worktree', 'in_place'] as const) {
        const at = { codebase_id: 'global' as const, path, workspace_mode: mode };
        expect(await folders.resolveBinding(at)).toMatchObject({ code: 'path_not_allowed' });
      }
    }
  });

  it('does not close its neighbours', async () => {
    const folders = createServedFolders({ configured: [], roots: ['*'], closedPaths: [below('home/.switchyard')] });
    expect(await folders.checkPath(below('home/app'), true)).toBeUndefined();
  });
});

describe('a folder that the operator set the worker up with', () => {
  it('is served whatever the roots are, in the mode of the settings [choices-3.130]', async () => {
    const own = [
      { codebase_id: undefined, path: below('home'), workspace_mode: 'worktree' as const },
      { codebase_id: 'global' as const, path: below('home'), workspace_mode: 'in_place' as const },
    ];
    const folders = createServedFolders({ configured: own, roots: [], closedPaths: [below('home/.switchyard')] });
    const codebaseId = '01a00000-0000-7000-8000-000000000001';
    const place = await folders.resolveBinding({
      codebase_id: codebaseId,
      path: below('home'),
      workspace_mode: 'in_place',
    });
    expect(place).toEqual({ binding: { codebaseId, path: below('home'), mode: 'worktree' } });
    const common = await folders.resolveBinding({
      codebase_id: 'global',
      path: below('home'),
      workspace_mode: 'worktree',
    });
    expect(common).toMatchObject({ binding: { mode: 'in_place' } });
    expect(await folders.checkPath(below('home'), false)).toBeUndefined();
    expect(await folders.checkPath(below('home/app'), true)).toMatchObject({ code: 'path_not_allowed' });
  });
});

describe('a folder that was bound over the API', () => {
  it('is checked for each attempt: a link that replaced it is rejected', async () => {
    const folders = createServedFolders({
      configured: [],
      roots: [below('roots')],
      closedPaths: [below('home/.switchyard')],
    });
    await mkdir(below('roots/app'), { recursive: true });
    const at = { codebase_id: 'global' as const, path: below('roots/app'), workspace_mode: 'in_place' as const };
    expect(await folders.resolveBinding(at)).toMatchObject({ binding: { path: below('roots/app') } });
    await rm(below('roots/app'), { recursive: true });
    await symlink(below('home/app'), below('roots/app'));
    expect(await folders.resolveBinding(at)).toMatchObject({ code: 'path_not_allowed' });
  });

  it('does not reveal whether a folder exists to callers who may not name it', async () => {
    const folders = createServedFolders({ configured: [], roots: [below('roots')], closedPaths: [] });
    const codes = [below('home/app'), below('home/nothing')].map(
      async (path) => (await folders.checkPath(path, true))?.code,
    );
    expect(await Promise.all(codes)).toEqual(['path_not_allowed', 'path_not_allowed']);
  });
});

it('declares its roots as configured and with links resolved', async () => {
  await symlink(below('home'), below('link-to-home'));
  expect(await declaredRoots(['*', below('link-to-home'), below('nothing')])).toEqual([
    '*',
    below('link-to-home'),
    below('nothing'),
    below('home'),
  ]);
});
