// Backups and restores that are killed with -9 at any moment: nothing half done is used, and the same command succeeds.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../support/database/database.ts';
import { databaseEnvironment } from '../support/database/database-url.ts';
import { refusal, start } from '../support/embedded-postgres/server-fixture.ts';
import { Program, run } from '../support/process/program.ts';
import { openService } from '../support/service.ts';

/** Kills of each: the moments are spread over the time that one run takes. */
const kills = process.env['SCALE'] === 'full' ? 20 : 2;

let dir: string;
let db: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'killed-'));
  db = await cloneDatabase();
  env = { ...databaseEnvironment(db), DATA_DIR: path.join(dir, 'none') };
  await using service = await openService({ db });
  for (let i = 0; i < 20; i += 1) await service.task({ title: `task ${i}`, prompt: 'x'.repeat(5_000) });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

async function elapsed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function succeed(args: readonly string[]): Promise<void> {
  const { code, err } = await run(args, { cwd: dir, env });
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
}

async function killAfter(args: readonly string[], ms: number): Promise<void> {
  await using program = new Program({ args, cwd: dir, env });
  await delay(ms);
  program.signal('SIGKILL');
  await program.ended;
}

test('a killed backup leaves the earlier one, and the next one succeeds [platform-6.1.10] [platform-6.1.8]', async () => {
  const backup = ['backup', 'daily'];
  const ms = await elapsed(() => succeed(backup));
  for (let i = 1; i <= kills; i += 1) {
    await killAfter(backup, (ms * i) / (kills + 1));
    await succeed(['backup', 'verify', 'daily']);
  }
  await succeed(backup);
  expect((await readdir(dir)).filter((name) => name.endsWith('.half'))).toEqual([]);
}, 300_000);

test('a killed restore starts nothing by mistake, and the same command succeeds [platform-6.1.10]', async () => {
  const ms = await elapsed(() => succeed(['restore', 'daily', '--data-dir', 'timed']));
  const restore = ['restore', 'daily', '--data-dir', 'data'];
  const target = path.join(dir, 'data');
  for (let i = 1; i <= kills; i += 1) {
    await killAfter(restore, (ms * i) / (kills + 1));
    const names = existsSync(target) ? await readdir(target) : [];
    if (names.includes('postgres') && !names.some((name) => name.startsWith('restore-half-made-'))) {
      // It was quicker than the one that was timed.
      await rm(target, { recursive: true });
    } else if (names.some((name) => name.startsWith('restore-half-made-'))) {
      expect((await refusal(start(target))).code).toBe('restore_unfinished');
    } else {
      expect(names.filter((name) => !name.startsWith('lock'))).toEqual([]);
    }
  }
  await succeed(restore);
  expect((await readdir(target)).filter((name) => !name.startsWith('lock')).toSorted()).toEqual([
    'postgres',
    'postgres-password',
  ]);
}, 300_000);
