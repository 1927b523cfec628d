// Work places of every kind of repository, and what a task says of one that cannot be worked in.
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import { createGit } from '../../../src/worker/workspace/git/git.ts';
import { lockFolder } from '../../../src/worker/workspace/folder-lock.ts';
import { sweepAttempts } from '../../../src/worker/workspace/attempt-folder.ts';
import type { WorkspaceBinding } from '../../../src/worker/workspace/workspace.ts';
import { artifactOf, diffOf, openRunFixture, shellPrompt, type RunFixture } from '../../support/worker/run-fixture.ts';
import { isRoot } from '../../support/process/is-root.ts';
import { smallDisk } from '../../support/worker/small-disk.ts';
import { until } from '../../support/until.ts';
import { processesOf } from '../../support/worker/left-processes.ts';

const id = '01890000-0000-7000-8000-000000000001';

function at(path: string, mode: WorkspaceBinding['mode'] = 'worktree'): { binding: WorkspaceBinding } {
  return { binding: { codebaseId: 'c', path, mode } };
}

async function committed(fixture: RunFixture, path: string, content: string): Promise<string> {
  await fixture.write(path, content);
  await fixture.git('add', '.');
  await fixture.git('commit', '--quiet', '-m', `${path}: ${content.trim()}`);
  return fixture.git('rev-parse', 'HEAD');
}

/** The task's log but for what the agent printed. */
function outputText(fixture: RunFixture): string {
  return fixture.events.map((event) => (event.type === 'progress' ? event.message : '')).join('\n');
}

const edit = shellPrompt('echo edited > a.txt');

describe('two runs on one repository at once', () => {
  test('keep both results, of the same files too', async () => {
    await using fixture = await openRunFixture();
    const head = await committed(fixture, 'a.txt', 'a\n');
    const both = (name: string) =>
      shellPrompt(
        `touch ${fixture.root}/${name}; while [ ! -e ${fixture.root}/one ] || [ ! -e ${fixture.root}/two ]; do sleep 0.05; done
         echo ${name} > a.txt; echo ${name} > ${name}.txt`,
      );
    const other = id.replace(/1$/, '2');
    const outcomes = await Promise.all([
      fixture.execute({ id, prompt: both('one') }, at(fixture.repo)),
      fixture.execute(
        { id: other, prompt: both('two') },
        { ...at(fixture.repo), stateDir: join(fixture.root, 'state-2') },
      ),
    ]);
    for (const [task, name, outcome] of [
      [id, 'one', outcomes[0]],
      [other, 'two', outcomes[1]],
    ] as const) {
      const branch = `switchyard/${task}`;
      expect(artifactOf(outcome, 'branch')?.data).toEqual({
        branch,
        commit: await fixture.git('rev-parse', branch),
        base: head,
        repository: fixture.repo,
        files: 2,
        added: 2,
        removed: 1,
        merge: `git merge ${branch}`,
      });
      expect(await fixture.git('show', `${branch}:a.txt`)).toBe(name);
      expect(await fixture.git('diff', '--name-only', head, branch)).toBe(`a.txt\n${name}.txt`);
      expect(diffOf(outcome).toString()).toContain(`+${name}`);
    }
    await fixture.git('merge', '--quiet', `switchyard/${id}`);
    expect(await fixture.git('show', 'HEAD:a.txt')).toBe('one');
  });

  test('with the same task take two branches', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        fixture.execute(
          { prompt: shellPrompt(`echo ${n} > a.txt`) },
          { ...at(fixture.repo), stateDir: join(fixture.root, `state-${n}`) },
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    const branches = outcomes.map((outcome) => artifactOf(outcome, 'branch')?.data);
    expect(new Set(branches.map((branch) => JSON.stringify(branch))).size).toBe(4);
    expect((await fixture.git('branch', '--list', 'switchyard/*')).split('\n')).toHaveLength(4);
  });
});

describe('a branch', () => {
  test("has the repository's own user as its author, or Switchyard where none is set", async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    await fixture.execute({ prompt: edit }, at(fixture.repo));
    const author = '--format=%an <%ae> %cn';
    expect(await fixture.git('log', '-1', author, `switchyard/${id}`)).toBe(
      'Switchyard <switchyard@localhost> Switchyard',
    );
    await fixture.git('config', 'user.name', 'Ada');
    await fixture.git('config', 'user.email', 'ada@example.com');
    await fixture.execute({ prompt: edit }, at(fixture.repo));
    expect(await fixture.git('log', '-1', author, `switchyard/${id}-2`)).toBe('Ada <ada@example.com> Ada');
  });

  test('has what the agent did not commit on top of its own commits', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    const block = 'echo b > a.txt; git -c user.name=a -c user.email=a@b commit --quiet -am own; echo c > c.txt';
    const outcome = await fixture.execute({ prompt: shellPrompt(block), title: 'Two things' }, at(fixture.repo));
    expect(await fixture.git('log', '--format=%s', `main..switchyard/${id}`)).toBe('Two things\nown');
    expect(artifactOf(outcome, 'files')?.data).toMatchObject([{ path: 'a.txt' }, { path: 'c.txt' }]);
  });

  test('starts at the branch that the task names, and a name that means nothing is refused', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'old\n');
    await fixture.git('branch', 'release');
    await committed(fixture, 'a.txt', 'new\n');
    await fixture.write('a.txt', 'uncommitted\n');
    const named = { prompt: shellPrompt('cat a.txt; echo x > x.txt'), metadata: { git_base: 'release' } };
    const outcome = await fixture.execute(named, at(fixture.repo));
    expect(outcome).toMatchObject({ status: 'completed', result: 'old' });
    expect(await fixture.git('log', '--format=%s', `release..switchyard/${id}`)).toBe('A task');
    expect(outputText(fixture)).toContain('starts from release');
    for (const git_base of ['no-such', '--output=/tmp/x', 'a b', '', 7, 'x\0y']) {
      const refused = await fixture.execute({ prompt: edit, metadata: { git_base } }, at(fixture.repo));
      expect(refused, JSON.stringify(git_base)).toMatchObject({
        status: 'failed',
        error: { code: 'base_not_found' },
      });
    }
  });

  test('logs how much of the start was uncommitted', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    await fixture.write('a.txt', 'b\n');
    await fixture.write('b.txt', 'b\n');
    await fixture.execute({ prompt: edit }, at(fixture.repo));
    expect(outputText(fixture)).toContain("with the folder's uncommitted changes (files: 2)");
  });
});

describe('a run in a worktree of a repository', () => {
  test('with a detached HEAD starts from that commit', async () => {
    await using fixture = await openRunFixture();
    const first = await committed(fixture, 'a.txt', 'first\n');
    await committed(fixture, 'a.txt', 'second\n');
    await fixture.git('checkout', '--quiet', '--detach', first);
    const outcome = await fixture.execute({ prompt: shellPrompt('cat a.txt; echo x > x.txt') }, at(fixture.repo));
    expect(outcome).toMatchObject({ status: 'completed', result: 'first' });
    expect(await fixture.git('rev-parse', `switchyard/${id}^`)).toBe(first);
  });

  test('that is shallow', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'first\n');
    await committed(fixture, 'a.txt', 'second\n');
    const shallow = join(fixture.root, 'shallow');
    await fixture.git('clone', '--quiet', '--depth=1', `file://${fixture.repo}`, shallow);
    const outcome = await fixture.execute({ prompt: edit }, at(shallow));
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(diffOf(outcome).toString()).toContain('-second\n+edited');
  });

  test('whose index is locked by a git that died, and leaves the lock alone', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    await fixture.write('.git/index.lock', '');
    for (const mode of ['worktree', 'in_place'] as const) {
      expect(await fixture.execute({ prompt: edit }, at(fixture.repo, mode))).toMatchObject({ status: 'completed' });
    }
    expect((await stat(join(fixture.repo, '.git/index.lock'))).size).toBe(0);
  });

  test('that has a branch named switchyard', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    await fixture.git('branch', 'switchyard');
    const questionPrompt = shellPrompt("echo edited > a.txt; echo 'SWITCHYARD_NEEDS_INPUT: on?'");
    expect(await fixture.execute({ prompt: questionPrompt }, at(fixture.repo))).toMatchObject({
      status: 'needs_input',
    });
    expect(await fixture.git('show', `switchyard-${id}:a.txt`)).toBe('edited');
    const outcome = await fixture.execute({ prompt: shellPrompt('cat a.txt; echo more > b.txt') }, at(fixture.repo));
    expect(outcome).toMatchObject({ status: 'completed', result: 'edited' });
    expect(artifactOf(outcome, 'branch')?.data).toMatchObject({ merge: `git merge switchyard-${id}` });
    expect(await fixture.git('branch', '--list', '--format=%(refname:short)')).toBe(
      `main\nswitchyard\nswitchyard-${id}`,
    );
  });

  test('that wants git to recurse into its submodules, and to refuse other line ends', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    const library = join(fixture.root, 'library');
    await fixture.git('clone', '--quiet', fixture.repo, library);
    await fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
    await fixture.git('commit', '--quiet', '-m', 'with a submodule');
    for (const [name, value] of [
      ['submodule.recurse', 'true'],
      ['core.autocrlf', 'input'],
      ['core.safecrlf', 'true'],
    ]) {
      await fixture.git('config', name ?? '', value ?? '');
    }
    const outcome = await fixture.execute({ prompt: shellPrompt("printf 'x\\r\\n' > a.txt") }, at(fixture.repo));
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(diffOf(outcome).toString()).toContain('-a\n+x');
  });

  test('that is itself a worktree', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    const linked = join(fixture.root, 'linked');
    await fixture.git('worktree', 'add', '--quiet', linked);
    const outcome = await fixture.execute({ prompt: edit }, at(linked));
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(await fixture.git('show', `switchyard/${id}:a.txt`)).toBe('edited');
    expect(await fixture.git('worktree', 'list')).toContain(linked);
  });
});

describe('a workspace that cannot be opened', () => {
  async function refusal(fixture: RunFixture, path: string): Promise<TaskOutcome['error']> {
    const outcome = await fixture.execute({ prompt: edit }, at(path));
    expect(outcome).toMatchObject({ status: 'failed' });
    return outcome.error;
  }

  test('is named with its reason: missing, a file, bare, no repository, damaged', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    const missing = await refusal(fixture, join(fixture.root, 'nowhere'));
    expect(missing).toMatchObject({ code: 'workspace_missing', message: expect.stringContaining('does not exist') });
    const file = await refusal(fixture, join(fixture.repo, 'a.txt'));
    expect(file).toMatchObject({ code: 'workspace_missing', message: expect.stringContaining('not a folder') });
    const bare = join(fixture.root, 'bare.git');
    await fixture.git('clone', '--quiet', '--bare', fixture.repo, bare);
    expect(await refusal(fixture, bare)).toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringContaining('bare'),
    });
    await mkdir(join(fixture.root, 'plain'));
    expect(await refusal(fixture, join(fixture.root, 'plain'))).toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringContaining('not a git repository'),
    });
    await rm(join(fixture.repo, '.git/objects'), { recursive: true });
    expect(await refusal(fixture, fixture.repo)).toMatchObject({ code: 'workspace_unusable' });
  });

  test.runIf(isRoot)('says that the disk is full, and leaves nothing on it', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    await using disk = await smallDisk(fixture.root);
    await disk.fill();
    const options = { ...at(fixture.repo), stateDir: join(disk.path, 'state') };
    expect(await fixture.execute({ prompt: edit }, options)).toMatchObject({
      status: 'failed',
      error: { code: 'disk_full' },
    });
    expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
  });

  test.runIf(isRoot)('says so when the disk fills up while files are checked out', async () => {
    await using fixture = await openRunFixture();
    await fixture.write('large.bin', 'x'.repeat(4_000_000));
    await committed(fixture, 'a.txt', 'a\n');
    await using disk = await smallDisk(fixture.root);
    const options = { ...at(fixture.repo), stateDir: join(disk.path, 'state') };
    expect(await fixture.execute({ prompt: edit }, options)).toMatchObject({
      status: 'failed',
      error: { code: 'disk_full' },
    });
    expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
    expect(await readdir(join(disk.path, 'state/runs'))).toEqual([]);
  });
});

describe('a repository that vanishes while the agent works', () => {
  test.each(['worktree', 'in_place'] as const)('fails the task with words for it (%s)', async (mode) => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    const gate = join(fixture.root, 'gate');
    const block = `echo edited > a.txt; echo up; while [ ! -e ${gate} ]; do sleep 0.05; done; echo done`;
    const running = fixture.execute({ prompt: shellPrompt(block) }, at(fixture.repo, mode));
    await until('the agent is up', () => fixture.output('stdout').includes('up\n'));
    await rename(fixture.repo, join(fixture.root, 'moved'));
    await writeFile(gate, '');
    const outcome = await running;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'workspace_lost' } });
    expect(outcome.error?.message).toContain('vanished');
    // The work itself is not thrown away with it.
    const kept = /The files are in (.*)\.$/.exec(outcome.error?.message ?? '')?.[1] ?? '';
    if (mode === 'worktree') expect(await readdir(kept)).toContain('a.txt');
  });
});

describe('git', () => {
  test('that never ends is ended with what it started', async () => {
    await using fixture = await openRunFixture();
    const bin = join(fixture.root, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'git'), '#!/bin/sh\nsleep 1000 &\nwait\n', { mode: 0o755 });
    const git = createGit({ env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` }, deadlineMs: 1_000 });
    const call = git.run(['status'], { cwd: fixture.root });
    expect(processesOf(fixture.root)).not.toEqual([]);
    await expect(call).rejects.toMatchObject({ code: 'workspace_timeout' });
    expect(processesOf(fixture.root)).toEqual([]);
  });

  test('that prepares a run is ended with it, and leaves nothing behind', async () => {
    await using fixture = await openRunFixture();
    await committed(fixture, 'a.txt', 'a\n');
    const bin = join(fixture.root, 'bin');
    await mkdir(bin);
    const path = process.env['PATH'] ?? '';
    const slow = `case "$*" in *read-tree*) touch ${fixture.root}/slow; exec sleep 1000;; esac`;
    await writeFile(join(bin, 'git'), `#!/bin/sh\n${slow}\nPATH=${path} exec git "$@"\n`, { mode: 0o755 });
    const ending = new AbortController();
    const env = { ...fixture.env, PATH: `${bin}:${path}` };
    const running = fixture.execute(
      { prompt: edit },
      { ...at(fixture.repo), env, signal: ending.signal, gitTimeoutMs: 600_000 },
    );
    await until('git is at it', () => stat(join(fixture.root, 'slow')).then(Boolean, () => false));
    ending.abort('cancelled');
    expect(await running).toEqual({ status: 'cancelled' });
    expect((await fixture.git('worktree', 'list')).split('\n')).toHaveLength(1);
    expect(await readdir(join(fixture.stateDir, 'runs'))).toEqual([]);
  });

  test('is ended by a signal', async () => {
    await using fixture = await openRunFixture();
    const bin = join(fixture.root, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'git'), '#!/bin/sh\nsleep 1000\n', { mode: 0o755 });
    const git = createGit({ env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` }, deadlineMs: 600_000 });
    const ending = new AbortController();
    const call = git.run(['fetch'], { cwd: fixture.root, signal: ending.signal });
    ending.abort();
    await expect(call).rejects.toThrow('was ended');
  });
});

describe('what the crash of the machine left half written', () => {
  test('does not keep a worker from starting, nor a folder locked', async () => {
    await using fixture = await openRunFixture();
    const left = join(fixture.stateDir, 'runs', 'half');
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'run.json'), '');
    const git = createGit({ env: fixture.env, deadlineMs: 60_000 });
    expect(await sweepAttempts({ stateDir: fixture.stateDir, git, killGraceMs: 100 })).toBe(1);
    expect(await readdir(join(fixture.stateDir, 'runs'))).toEqual([]);

    const options = {
      stateDir: fixture.stateDir,
      signal: AbortSignal.timeout(60_000),
      onWait: () => Promise.resolve(),
    };
    {
      await using _held = await lockFolder(fixture.repo, options);
    }
    const [own] = await readdir(join(fixture.stateDir, 'locks'));
    expect(own).toBeUndefined();
    await using held = await lockFolder(fixture.repo, options);
    const [file = ''] = await readdir(join(fixture.stateDir, 'locks'));
    await writeFile(join(fixture.stateDir, 'locks', file), '');
    await using again = await lockFolder(fixture.repo, options);
    expect([held, again]).not.toContain(undefined);
  });
});
