// Leftovers of attempts on a worker's disk: they are removed when nobody came back for them, and nothing else is.
import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/worker/base/log.ts';
import { createGit, type Git } from '../../../src/worker/workspace/git/git.ts';
import { openAttemptFolder, sweepAttempts } from '../../../src/worker/workspace/attempt-folder.ts';
import { maintainWorkspaces } from '../../../src/worker/workspace/workspace-maintenance.ts';
import { until } from '../../support/until.ts';
import { openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';

const dayMs = 86_400_000;
const edit = shellPrompt('cat a.txt; echo edited >> a.txt');

interface WorkspacesFixture {
  readonly fixture: RunFixture;
  readonly git: Git;
  /** Plain git, as a user has it. */
  plain(args: string[], call: { cwd: string; env?: Record<string, string> }): Promise<string>;
  /** Runs a task in a clone of origin `name`; made on first use. @returns the clone */
  run(name: string, prompt?: string): Promise<string>;
  maintain(retainMs: number): Promise<void>;
}

async function openWorkspacesFixture(): Promise<WorkspacesFixture> {
  const fixture = await openRunFixture();
  await fixture.write('a.txt', 'one\n');
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', 'one');
  const git = createGit({ env: fixture.env, deadlineMs: 60_000 });
  const log = createLog({ level: 'silent', format: 'json' });
  return {
    fixture,
    git,
    async plain(args, { cwd, env }) {
      const identity = ['-c', 'user.name=User', '-c', 'user.email=user@localhost'];
      const { stdout } = await promisify(execFile)('git', [...identity, ...args], {
        cwd,
        env: { ...fixture.env, ...env },
      });
      return stdout.trim();
    },
    async run(name, prompt = edit) {
      const origin = join(fixture.root, `${name}.git`);
      if (!(await isThere(origin))) await fixture.git('clone', '--quiet', '--bare', fixture.repo, origin);
      const workplace = { codebaseId: 'c', path: `file://${origin}`, mode: 'worktree' as const };
      const clones = { from: ['*'], timeoutMs: 60_000, push: false };
      const outcome = await fixture.execute({ prompt }, { binding: workplace, clones });
      expect(outcome).toMatchObject({ status: 'completed' });
      const found = (await below(join(fixture.stateDir, 'clones'))).find((path) => path.endsWith(`/${name}`));
      return found ?? expect.fail('there is no clone');
    },
    maintain: (retainMs) =>
      maintainWorkspaces(
        { stateDir: fixture.stateDir, git, keepMs: retainMs, packTimeoutMs: 30_000, log },
        new AbortController().signal,
      ),
  };
}

/** The id of a task that was made then. */
function idOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Entries two levels below a folder. */
async function below(folder: string): Promise<string[]> {
  const each = await Promise.all(
    (await readdir(folder)).map(async (name) => (await readdir(join(folder, name))).map((x) => join(folder, name, x))),
  );
  return each.flat();
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const lastUsed = (clone: string, daysAgo: number): Promise<void> => {
  const at = new Date(Date.now() - daysAgo * dayMs);
  return utimes(join(clone, '.git/switchyard-used'), at, at);
};

/** A folder of a run that was kept, with a worktree of `root` in it. */
async function createRetainedRun({ fixture }: WorkspacesFixture, root: string): Promise<string> {
  const folder = await openAttemptFolder(fixture.stateDir, 'task', { tag: 'tag', kind: 'none' });
  const path = join(folder.path, 'work');
  await folder.note({ path, root });
  await fixture.git('-C', root, 'worktree', 'add', '--quiet', '--force', '--detach', path, 'HEAD');
  folder.keep();
  await folder[Symbol.asyncDispose]();
  return folder.path;
}

describe('a clone', () => {
  test('goes when no run used it for as long as things are kept, and is made anew when one asks again', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const [old, used] = [await places.run('old'), await places.run('used')];
    await lastUsed(old, 31);
    await lastUsed(used, 29);
    await places.maintain(30 * dayMs);
    expect([await isThere(old), await isThere(used)]).toEqual([false, true]);
    expect(await places.run('old')).toBe(old);
    // A run counts as use.
    await lastUsed(old, 31);
    await places.run('old');
    await places.maintain(30 * dayMs);
    expect(await isThere(old)).toBe(true);
  });

  test('stays while a folder works on it, however long ago it was opened', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const clone = await places.run('busy');
    await lastUsed(clone, 365);
    const running = await openAttemptFolder(places.fixture.stateDir, 'task', { tag: 'tag', kind: 'none' });
    const path = join(running.path, 'work');
    await running.note({ path, root: clone });
    await places.plain(['worktree', 'add', '--quiet', '--detach', path, 'refs/switchyard/head'], { cwd: clone });
    await places.maintain(0);
    expect([await isThere(join(clone, '.git')), await isThere(join(path, 'a.txt'))]).toEqual([true, true]);
    expect(await places.plain(['status', '--porcelain'], { cwd: path })).toBe('');
    await running[Symbol.asyncDispose]();
    await places.maintain(0);
    expect(await isThere(clone)).toBe(false);
  });

  test('of a former version, which noted no use, counts from now', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const clone = await places.run('former');
    await rename(join(clone, '.git/switchyard-used'), join(places.fixture.root, 'mark'));
    await places.maintain(dayMs);
    expect(await isThere(join(clone, '.git/switchyard-used'))).toBe(true);
  });

  test('is packed when it has many loose objects, and keeps its branches', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const clone = await places.run('loose');
    // Git guesses by one of 256 folders: more than 27 there are more than 6,700 in all.
    const folder = join(clone, '.git/objects/17');
    await mkdir(folder, { recursive: true });
    for (let i = 0; (await readdir(folder)).length < 30; i += 1) {
      const object = `blob ${String(i).length}\0${i}`;
      const id = createHash('sha1').update(object).digest('hex');
      if (id.startsWith('17')) await writeFile(join(folder, id.slice(2)), deflateSync(object));
    }
    const branches = await places.plain(['for-each-ref', 'refs/heads'], { cwd: clone });
    await places.maintain(dayMs);
    expect((await readdir(join(clone, '.git/objects/pack'))).some((name) => name.endsWith('.pack'))).toBe(true);
    expect(await places.plain(['for-each-ref', 'refs/heads'], { cwd: clone })).toBe(branches);
    expect(branches).toContain('switchyard/');
  });

  test('in use loses the branches of tasks that are long over, but for one with a question, and none of anybody else', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const clone = await places.run('branchy');
    const [long, today] = [Date.now() - 40 * dayMs, Date.now()];
    const branch = async (name: string, atMs: number, message = 'done'): Promise<string> => {
      const at = `${Math.floor(atMs / 1000)} +0000`;
      const env = { GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at };
      const commit = await places.plain(
        ['commit-tree', 'refs/switchyard/head^{tree}', '-p', 'refs/switchyard/head', '-m', message],
        { cwd: clone, env },
      );
      await places.plain(['update-ref', `refs/heads/${name}`, commit], { cwd: clone });
      return name;
    };
    const kept = [
      await branch(`switchyard/${idOf(long)}`, today),
      await branch(`switchyard/${idOf(today)}`, long),
      await branch(`switchyard/${idOf(long)}`, long, 'which?\n\nSwitchyard-Status: needs_input'),
      await branch('switchyard/mine', long),
      await branch('feature', long),
    ];
    await branch(`switchyard/${idOf(long)}`, long);
    await branch(`switchyard/${idOf(long)}-2`, long, 'done\n\nSwitchyard-Status: completed');
    await branch(`switchyard-${idOf(long)}`, long);
    await places.maintain(30 * dayMs);
    const left = await places.plain(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'], { cwd: clone });
    const ofTheRun = 'switchyard/01890000-0000-7000-8000-000000000001';
    expect(left.split('\n').toSorted()).toEqual([...kept, ofTheRun].toSorted());
  });

  test('that was damaged and set aside goes too, and what nobody finished making', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const clone = await places.run('one');
    for (const ending of ['damaged', 'new', 'gone']) await mkdir(`${clone}.${ending}-${randomUUID()}`);
    await places.maintain(dayMs);
    const left = await below(join(places.fixture.stateDir, 'clones'));
    expect(left).toEqual([clone, expect.stringContaining('.damaged-')]);
    await lastUsed(clone, -1);
    await places.maintain(0);
    expect(await below(join(places.fixture.stateDir, 'clones'))).toEqual([clone]);
  });
});

describe('a folder that was kept because its changes could not be', () => {
  test('goes after a while with its worktree; that of a run at work, and the user’s own, never do', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const { fixture } = places;
    const kept = await createRetainedRun(places, fixture.repo);
    const own = join(fixture.root, 'own');
    await fixture.git('worktree', 'add', '--quiet', '--detach', own, 'HEAD');
    await using running = await openAttemptFolder(fixture.stateDir, 'task', { tag: 'tag', kind: 'none' });
    await places.maintain(dayMs);
    expect(await sweepAttempts({ stateDir: fixture.stateDir, git: places.git, killGraceMs: 100 })).toBe(0);
    expect(await isThere(join(kept, 'work/a.txt'))).toBe(true);
    await places.maintain(0);
    expect([await isThere(kept), await isThere(running.path), await isThere(own)]).toEqual([false, true, true]);
    const worktrees = await fixture.git('worktree', 'list', '--porcelain');
    expect(worktrees).toContain(own);
    expect(worktrees).not.toContain(kept);
    expect(await isThere(join(fixture.repo, 'a.txt'))).toBe(true);
  });

  test('takes nothing else along, whatever its record says', async () => {
    const places = await openWorkspacesFixture();
    await using _fixture = places.fixture;
    const { fixture } = places;
    const kept = await createRetainedRun(places, fixture.repo);
    const own = join(fixture.root, 'own');
    await fixture.git('worktree', 'add', '--quiet', '--detach', own, 'HEAD');
    for (const path of [own, `${kept}/../../../own`]) {
      const record = { pid: 1, start: '1', tag: 'tag', worktree: { path, root: fixture.repo } };
      await mkdir(kept, { recursive: true });
      await writeFile(join(kept, 'kept.json'), JSON.stringify(record));
      await places.maintain(0);
      expect([await isThere(kept), await isThere(join(own, 'a.txt'))]).toEqual([false, true]);
      // Nor does the start of a worker after one that was killed.
      await mkdir(kept, { recursive: true });
      await writeFile(join(kept, 'run.json'), JSON.stringify(record));
      expect(await sweepAttempts({ stateDir: fixture.stateDir, git: places.git, killGraceMs: 100 })).toBe(1);
      expect([await isThere(kept), await isThere(join(own, 'a.txt'))]).toEqual([false, true]);
    }
  });
});

test('locks that a killed process never took go, those of a living one stay', async () => {
  const places = await openWorkspacesFixture();
  await using _fixture = places.fixture;
  const locks = join(places.fixture.stateDir, 'locks');
  await mkdir(locks, { recursive: true });
  const [pid, start] = [process.pid, ''];
  await writeFile(join(locks, 'dead.own'), JSON.stringify({ pid, start: '1', lock: randomUUID() }));
  await writeFile(join(locks, 'half.own'), '');
  await writeFile(join(locks, 'alive.own'), JSON.stringify({ pid, start, lock: randomUUID() }));
  await places.maintain(dayMs);
  expect(await readdir(locks)).toHaveLength(3);
  await places.maintain(-dayMs);
  expect(await readdir(locks)).toEqual(['alive.own']);
});

test('kill -9 in the midst of it leaves what is whole, or what the next round takes away; a run at work goes on', async () => {
  const places = await openWorkspacesFixture();
  await using _fixture = places.fixture;
  const { fixture } = places;
  const busy = await places.run('busy');
  await using running = await openAttemptFolder(fixture.stateDir, 'task', { tag: 'tag', kind: 'none' });
  const work = join(running.path, 'work');
  await running.note({ path: work, root: busy });
  await places.plain(['worktree', 'add', '--quiet', '--detach', work, 'refs/switchyard/head'], { cwd: busy });
  const clones = join(fixture.stateDir, 'clones');
  const maintainProgram = fileURLToPath(new URL('./processes/maintain-once.ts', import.meta.url));
  for (let round = 0; round < 3; round += 1) {
    const old = await places.run(`old${round}`);
    const kept = await createRetainedRun(places, fixture.repo);
    // Enough that taking it away takes a while.
    for (const folder of [join(old, '.git/objects/many'), join(kept, 'many')]) {
      await mkdir(folder);
      await Promise.all(Array.from({ length: 4_000 }, (_, i) => writeFile(join(folder, `${i}`), '')));
    }
    const child = spawn(process.execPath, [maintainProgram, fixture.stateDir], { env: fixture.env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    // In each round at another moment: when the folder goes, when the clone does, some way into it.
    const begun = (): Promise<boolean> =>
      round === 0
        ? isThere(`${kept}.gone`)
        : below(clones).then(
            (paths) => paths.some((path) => path.includes('.gone-')),
            () => false,
          );
    await until('it has begun, or is through', async () => (await begun()) || child.exitCode !== null);
    child.kill('SIGKILL');
    await exited;
    expect(child.exitCode ?? 0).toBe(0);
    for (const clone of (await below(clones)).filter((path) => !path.includes('.gone-'))) {
      await places.plain(['fsck', '--connectivity-only'], { cwd: clone });
    }
    expect(await places.plain(['status', '--porcelain'], { cwd: work })).toBe('');
  }
  await places.maintain(0);
  expect(await below(clones)).toEqual([busy]);
  expect(await readdir(join(fixture.stateDir, 'runs'))).toEqual([running.path.split('/').at(-1)]);
  expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
  expect(await isThere(join(work, 'a.txt'))).toBe(true);
});
