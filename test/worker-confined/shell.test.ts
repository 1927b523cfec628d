// Commands of the agent `model` in bubblewrap: they write in the work place alone and see no secret of the machine.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateSandbox } from '../../src/worker/agents/detect.ts';
import { createShell, type ShellOptions } from '../../src/worker/agents/model/shell.ts';
import { findProcesses } from '../../src/worker/process/tree.ts';

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
    folder,
    tag: 'shell-test',
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
  test('works in the work place, with git to look at', async () => {
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
    const ask = `node -e 'require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    try {
      expect((await run(ask)).text).not.toContain('reached');
      expect((await run(ask, { network: true })).text).toContain('reached');
    } finally {
      server.close();
    }
  });

  test('sees only the repository of its worktree, and cannot write there', async () => {
    const [repo, tree] = [join(top, 'home/repo'), join(top, 'own/tree')];
    const git = (...args: string[]): Promise<unknown> =>
      promisify(execFile)('git', ['-c', 'user.name=U', '-c', 'user.email=u@localhost', ...args]);
    await git('init', '--quiet', repo);
    await git('-C', repo, 'commit', '--quiet', '--allow-empty', '-m', 'the first commit');
    await git('-C', repo, 'worktree', 'add', '--quiet', tree);
    expect((await run('git log --oneline', { path: tree })).text).toContain('the first commit');
    expect((await run('cat ../token', { path: tree })).text).not.toContain(secret);
    expect((await run('git config user.name Eve', { path: tree })).ok).toBe(false);
    expect(await run('echo x > new.txt', { path: tree })).toMatchObject({ ok: true });
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
      const late = await run('(trap "" TERM; setsid sleep 600 &) ; echo begun; sleep 600', here, 5_000);
      expect(late).toMatchObject({ ok: false, text: expect.stringMatching(/begun[^]*time limit/) });
      const failed = await run('echo out; echo err >&2; exit 3', here);
      expect(failed).toEqual({ ok: false, text: expect.stringMatching(/out[^]*err[^]*\[exit 3\]/) });
      const endless = await run('yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', here, 1_500);
      expect(endless.text.length).toBeLessThan(31_000);
      expect(findProcesses({ leader: undefined, tag: options.tag }) ?? []).toEqual([]);
    },
  );
});
