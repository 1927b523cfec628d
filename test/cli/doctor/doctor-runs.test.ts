// The findings of `worker doctor` about runs: which codebases can serve one, and what is missing elsewhere. runs-6.4.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command } from '../../support/process/cli-io.ts';
import { repository } from '../../support/worker/local-worker.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-doctor-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Check {
  readonly name: string;
  readonly state: string;
  readonly found: string;
  readonly remedy: string;
}

/** The doctor's findings about runs on these folders, by codebase. */
async function doctor(folders: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Map<string, Check>> {
  const base = {
    PATH: process.env['PATH'],
    // Nobody listens there: runs are checked without a service.
    A2A_SERVER_URL: 'http://127.0.0.1:1',
    SWITCHYARD_TOKEN: 'none',
    A2A_AGENT_BIN: 'command',
    A2A_WORKER_ALLOW_COMMAND: 'true',
    A2A_WORKER_GATES: 'unconfined',
    DATA_DIR: path.join(folder, 'data'),
  };
  const flags = folders.flatMap((name) => ['--codebase', path.join(folder, name)]);
  const { out } = await command(['worker', 'doctor', '--json', ...flags], { env: { ...base, ...env }, cwd: folder });
  const checks: Check[] = JSON.parse(out).checks;
  return new Map(checks.filter(({ name }) => name.startsWith('runs')).map((check) => [check.name, check]));
}

async function npmRepository(name: string): Promise<void> {
  const root = path.join(folder, name);
  await repository(root);
  const manifest = { scripts: { test: 'node --test', lint: 'true' }, dependencies: { a: '1' } };
  await writeFile(path.join(root, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(root, 'package-lock.json'), '{}');
  const git = (...args: string[]): Promise<unknown> => promisify(execFile)('git', args, { cwd: root });
  await git('add', '-A');
  await git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'manifest');
}

describe('worker doctor on runs', () => {
  it('names the gates, the set-up, the sandbox and the agents of a codebase that can serve one [runs-6.4.4]', async () => {
    await npmRepository('shop');
    const checks = await doctor(['shop']);
    expect(checks.get('runs shop')).toEqual({
      name: 'runs shop',
      state: 'ok',
      found:
        'can serve a run: gates lint `npm run lint`, test `npm test`, set-up `npm ci`, unconfined; command implements; no agent reviews, so a run asks about each criterion without a command',
      remedy: '',
    });
  });

  it('says what is missing: a commit, a repository, gates, an agent [runs-6.4.4]', async () => {
    await repository(path.join(folder, 'bare-bones'));
    await mkdir(path.join(folder, 'plain'));
    await promisify(execFile)('git', ['init', '-q', path.join(folder, 'empty')]);
    const checks = await doctor(['bare-bones', 'plain', 'empty']);
    expect(checks.get('runs bare-bones')).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('no gates found'),
    });
    expect(checks.get('runs plain')).toMatchObject({ found: 'no run: it is no git repository' });
    expect(checks.get('runs empty')).toMatchObject({ found: 'no run: the repository has no commit' });
    const off = await doctor(['bare-bones'], { A2A_WORKER_GATES: 'off' });
    expect(off.get('runs bare-bones')).toMatchObject({
      state: 'warn',
      found: expect.stringContaining('A2A_WORKER_GATES is off'),
    });
    const none = { A2A_AGENT_BIN: '', A2A_WORKER_ALLOW_COMMAND: 'false', PATH: '/usr/bin:/bin' };
    const alone = await doctor(['bare-bones'], none);
    expect(alone.get('runs bare-bones')).toMatchObject({ state: 'warn', found: expect.stringContaining('no agent') });
  });

  it('says that the folder global cannot serve one [runs-6.4.4]', async () => {
    const checks = await doctor([]);
    expect(checks.get('runs')).toMatchObject({ state: 'ok', remedy: expect.stringContaining('--codebase') });
  });
});
