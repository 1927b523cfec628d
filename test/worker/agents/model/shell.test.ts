// Commands of the agent `model` in bubblewrap: they write in the workspace alone and see no secret of the machine.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateSandbox } from '../../../../src/worker/agents/detect.ts';
import { createShell, type ShellOptions } from '../../../../src/worker/agents/model/shell.ts';
import { findProcesses } from '../../../../src/worker/process/process-tree.ts';

const sandbox = await locateSandbox(process.env);
const secret = 'planted-secret-word';
let top: string;
let options: ShellOptions;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-shell-')));
  const [path, folder, home, own] = ['place', 'run', 'home', 'own'].map((name) => join(top, name));
  if (path === undefined || folder === undefined || home === undefined || own === undefined)
    throw new Error('no folder');
  for (const made of [path, folder, join(home, '.ssh'), own]) await mkdir(made, { recursive: true });
  for (const file of [join(home, '.ssh/id'), join(own, 'token'), join(top, 'beside.txt')])
    await writeFile(file, secret);
  await promisify(execFile)('git', ['init', '--quiet', path]);
  const env = { PATH: process.env['PATH'], HOME: home, SECRET_KEY: secret, MODEL_PROVIDER_API_KEY: secret };
  options = {
    sandbox,
    network: false,
    hidden: [own],
    path,
    gitFolders: [],
    folder,
    contained: { tag: 'shell-test', kind: 'none' },
    env,
    passEnv: [],
    killGraceMs: 300,
  };
});
afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 3 }));

async function run(
  command: string,
  more: Partial<ShellOptions> = {},
  timeoutMs = 60_000,
): Promise<{ ok: boolean; text: string }> {
  return createShell({ ...options, ...more })(command, timeoutMs, new AbortController().signal);
}

describe.skipIf(sandbox === undefined)('a confined command', () => {
  test('works in the workspace, with git to look at', async () => {
    expect(await run('echo hello > made.txt && cat made.txt && pwd')).toEqual({
      ok: true,
      text: `hello\n${options.path}\n`,
    });
    expect(await readFile(join(options.path, 'made.txt'), 'utf8')).toBe('hello\n');
    expect((await run('git status --short')).text).toContain('?? made.txt');
    expect(await run('echo x > "$TMPDIR/x" && cat /tmp/x')).toEqual({ ok: true, text: 'x\n' });
  });

  test.each([
    ['the folder beside', (): string => `cat ${top}/beside.txt`],
    ['the home', (): string => `cat ${top}/home/.ssh/id`],
    ["the worker's own folder", (): string => `cat ${top}/own/token`],
    ['its environment', (): string => 'env; cat /proc/self/environ /proc/1/environ'],
    ['other processes', (): string => 'cat /proc/*/environ /proc/*/cmdline; ps ax'],
    ["the worker's memory by its number", (): string => `cat /proc/${process.pid}/environ`],
  ])('finds no secret in %s', async (_, command) => {
    expect((await run(command())).text).not.toContain(secret);
  });

  test.each([
    ['the folder beside', (): string => `echo x > ${top}/beside.txt`],
    ['the system', (): string => 'echo x > /etc/planted'],
    ["git's hooks", (): string => 'echo x > .git/hooks/pre-commit'],
    ["git's settings", (): string => 'git config core.fsmonitor ./evil'],
    ['a new mount', (): string => 'mount -t tmpfs x /mnt'],
    ['a device', (): string => 'mknod disk b 8 0'],
  ])('does not write to %s', async (_, command) => {
    // Where nothing is hidden it is refused; what is hidden is empty and may be written, for nobody.
    expect((await run(`${command()} && ! test -e ${top}/beside.txt`)).ok).toBe(false);
    expect(await readFile(join(top, 'beside.txt'), 'utf8')).toBe(secret);
  });

  test('reaches no network unless the operator allows it', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const connectScript = `node -e 'require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    try {
      expect((await run(connectScript)).text).not.toContain('reached');
      expect((await run(connectScript, { network: true })).text).toContain('reached');
    } finally {
      server.close();
    }
  });

  const git = (...args: string[]): Promise<unknown> =>
    promisify(execFile)('git', ['-c', 'user.name=U', '-c', 'user.email=u@localhost', ...args]);

  test('sees only the repository of its worktree, and cannot write there', async () => {
    const [repo, tree] = [join(top, 'home/repo'), join(top, 'own/tree')];
    await git('init', '--quiet', repo);
    await git('-C', repo, 'commit', '--quiet', '--allow-empty', '-m', 'the first commit');
    await git('-C', repo, 'worktree', 'add', '--quiet', tree);
    const here = { path: tree, gitFolders: [join(repo, '.git')] };
    expect((await run('git log --oneline', here)).text).toContain('the first commit');
    expect((await run('cat ../token', here)).text).not.toContain(secret);
    expect((await run('git config user.name Eve', here)).ok).toBe(false);
    expect(await run('echo x > new.txt', here)).toMatchObject({ ok: true });
  });

  test.each([
    ['core.worktree', (home: string): string => `git init -q . && git config core.worktree ${home}`],
    ['a forged .git file', (home: string): string => `echo "gitdir: ${home}/repository/.git" > .git`],
    ['a link for .git', (home: string): string => `ln -s ${home}/repository/.git .git`],
    ['a forged commondir', (home: string): string => `git init -q . && echo ${home}/repository/.git > .git/commondir`],
  ])('opens no masked folder to the next one by %s', async (name, plant) => {
    const home = join(top, 'home');
    await git('init', '--quiet', join(home, 'repository'));
    await git('-C', join(home, 'repository'), 'commit', '--quiet', '--allow-empty', '-m', secret);
    const path = join(top, name.replaceAll(/\W/g, '-'));
    await mkdir(path);
    await run(plant(home), { path });
    const { text } = await run(
      `cat ${home}/.ssh/id; find ${home}; git log; cat ${home}/repository/.git/logs/HEAD; ls -a`,
      { path },
    );
    expect(text).toContain('.git');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('.ssh/id\n');
  });

  test('shows no home that is itself the repository of the workspace', async () => {
    const home = join(top, 'home');
    await git('init', '--quiet', home);
    await mkdir(join(home, 'project'), { recursive: true });
    const here = { path: join(home, 'project'), gitFolders: [home, join(home, '.git')] };
    expect((await run(`cat ${home}/.ssh/id; ls ${home}/.git`, here)).text).not.toContain(secret);
    expect((await run(`ls ${home}/.git`, here)).text).toContain('HEAD');
  });

  test("sees nothing of the worker's own, whatever its repository borrows from", async () => {
    const here = { gitFolders: [join(top, 'own')] };
    expect((await run(`cat ${top}/own/token`, here)).text).not.toContain(secret);
  });
});

describe.each([
  ['confined', sandbox],
  ['not confined', undefined],
])('a command that is %s', (how, program) => {
  const here = { sandbox: program };
  test.skipIf(how === 'confined' && program === undefined)(
    'gets no key, is ended at its limit, and leaves nothing',
    async () => {
      expect((await run('env', here)).text).not.toContain(secret);
      const timedOut = await run('(trap "" TERM; setsid sleep 600 &) ; echo begun; sleep 600', here, 5_000);
      expect(timedOut).toMatchObject({ ok: false, text: expect.stringMatching(/begun[^]*time limit/) });
      const failed = await run('echo out; echo err >&2; exit 3', here);
      expect(failed).toEqual({ ok: false, text: expect.stringMatching(/out[^]*err[^]*\[exit 3\]/) });
      const endless = await run('yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', here, 1_500);
      expect(endless.text.length).toBeLessThan(31_000);
      expect(findProcesses({ leader: undefined, tag: options.contained.tag })?.members ?? []).toEqual([]);
    },
  );
});
