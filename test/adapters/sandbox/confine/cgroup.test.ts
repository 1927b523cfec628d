// Control groups of tool runs: a sweep removes those of ended processes alone. A plain folder stands for the hierarchy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGroup, sweepGroups } from '../../../../src/adapters/sandbox/confine/cgroup.ts';

const limits = {
  memoryMb: 16,
  cpuSeconds: 1,
  wallSeconds: 1,
  processes: 4,
  openFiles: 16,
  outputBytes: 1024,
  tmpMb: 1,
  hosts: [],
  paths: [],
};

async function openFolder(): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-groups-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** A group as the kernel shows it before its first process: its files do not count, so the folder can be removed. */
async function makeEmptyGroup(folder: string): Promise<string> {
  const before = await readdir(folder);
  await makeGroup(folder, limits);
  const name = (await readdir(folder)).find((entry) => !before.includes(entry)) ?? '';
  for (const file of await readdir(join(folder, name))) await rm(join(folder, name, file));
  return name;
}

async function endedPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('a sweep leaves the empty group of a live process, and removes that of an ended one', async () => {
  await using at = await openFolder();
  const live = await makeEmptyGroup(at.folder);
  const ended = live.replace(`-${process.pid}-`, `-${await endedPid()}-`);
  const reused = live.replace(/-(\d+)-(?=[^-]*$)/, '-1$1-');
  for (const name of [ended, reused]) await mkdir(join(at.folder, name));
  await sweepGroups(at.folder);
  expect(new Set([live, ended, reused]).size).toBe(3);
  expect(await readdir(at.folder)).toEqual([live]);
});

test('a sweep leaves groups of another pid namespace and of other programs', async () => {
  await using at = await openFolder();
  const others = [`switchyard-tool-1-${await endedPid()}-5-abc`, 'user.slice'];
  for (const name of others) await mkdir(join(at.folder, name));
  await sweepGroups(at.folder);
  expect((await readdir(at.folder)).toSorted()).toEqual(others.toSorted());
});

test('two runs of one process have groups of their own', async () => {
  await using at = await openFolder();
  const names = [await makeEmptyGroup(at.folder), await makeEmptyGroup(at.folder)];
  expect(new Set(names).size).toBe(2);
});
