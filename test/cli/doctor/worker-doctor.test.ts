// `switchyard worker doctor` on real folders, against a real service: each thing that can be wrong is named with a remedy.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { plantStandIn, standIns } from '../../support/agents/agent-stand-ins.ts';
import { checkContainment } from '../../../src/cli/doctor/doctor-machine.ts';
import { command } from '../../support/process/cli-io.ts';
import { repository } from '../../support/worker/local-worker.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-doctor-'));
  await repository(path.join(folder, 'repo'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface DoctorReport {
  code: number;
  out: string;
  checks: { name: string; state: string; found: string; remedy: string }[];
  state: (name: string) => string | undefined;
}

async function doctor(flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<DoctorReport> {
  const base = {
    PATH: process.env['PATH'],
    A2A_SERVER_URL: service.url,
    SWITCHYARD_TOKEN: service.token('agent'),
    A2A_AGENT_BIN: 'command',
    A2A_WORKER_ALLOW_COMMAND: 'true',
    DATA_DIR: path.join(folder, 'data'),
  };
  const cwd = path.join(folder, 'repo');
  const { code, out, err } = await command(['worker', 'doctor', '--json', ...flags], { env: { ...base, ...env }, cwd });
  expect(err).toBe('');
  const { checks } = JSON.parse(out);
  const state = (name: string): string | undefined =>
    checks.find((check: DoctorReport['checks'][number]) => check.name === name)?.state;
  return { code, out, checks, state };
}

describe('worker doctor', () => {
  it('finds all well where it is, and ends with 0', async () => {
    const report = await doctor();
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(report.code).toBe(0);
    for (const name of ['settings', 'node', 'git', 'agent command', 'service', 'clock', 'token', 'codebase global']) {
      expect(report.state(name), name).toBe('ok');
    }
    expect(['ok', 'warn']).toContain(report.state('processes'));
    expect(report.out).toContain('agent of the tenant default');
    expect(report.out).not.toContain(service.token('agent'));
  });

  it('prints the same in lines for people', async () => {
    const env = { PATH: process.env['PATH'], A2A_SERVER_URL: service.url, SWITCHYARD_TOKEN: service.token('agent') };
    const { code, out } = await command(['worker', '--data-dir', path.join(folder, 'data'), 'doctor'], {
      env,
      cwd: path.join(folder, 'repo'),
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {4}service/m);
    expect(out).toContain(path.join(folder, 'data'));
  });

  it('names a setting that is missing or wrong, and ends with 1', async () => {
    const report = await doctor([], { A2A_SERVER_URL: '' });
    expect([report.code, report.state('settings')]).toEqual([1, 'fail']);
    expect(report.state('git')).toBe('ok');
    expect((await doctor(['--codebase', path.join(folder, 'nowhere')])).out).toContain('is not a folder');
  });

  it('says that the service cannot be reached, or is none of ours', async () => {
    const away = await doctor([], { A2A_SERVER_URL: 'http://127.0.0.1:9' });
    expect([away.code, away.state('service')]).toEqual([1, 'fail']);
    const other = await doctor([], { A2A_SERVER_URL: `${service.url}/somewhere` });
    expect([other.code, other.state('service')]).toEqual([1, 'fail']);
    expect(other.out).toContain('not a Switchyard service');
  });

  it('says that the token is refused, or may not work', async () => {
    const wrong = await doctor([], { SWITCHYARD_TOKEN: 'not-a-token' });
    expect([wrong.code, wrong.state('token')]).toEqual([1, 'fail']);
    expect(wrong.out).not.toContain('not-a-token');
    const viewer = await doctor([], { SWITCHYARD_TOKEN: service.token('viewer') });
    expect([viewer.code, viewer.state('token')]).toEqual([1, 'fail']);
    expect(viewer.out).toContain('workers:write and tasks:execute');
    expect((await doctor([], { SWITCHYARD_TOKEN: service.token('operator') })).code).toBe(0);
  });

  it('says how each codebase is', async () => {
    await repository(path.join(folder, 'dirty'));
    await writeFile(path.join(folder, 'dirty/new.txt'), 'new');
    await mkdir(path.join(folder, 'plain'));
    await repository(path.join(folder, 'damaged'));
    await rm(path.join(folder, 'damaged/.git/objects'), { recursive: true });
    const config = path.join(folder, 'worker.json');
    const codebases = [
      { path: path.join(folder, 'dirty') },
      { path: path.join(folder, 'plain') },
      { path: path.join(folder, 'plain'), name: 'asked', workspace_mode: 'worktree' },
      { path: path.join(folder, 'repo/.git'), name: 'inside' },
    ];
    await writeFile(config, JSON.stringify({ codebases }));
    const report = await doctor(['--config', config]);
    expect(report.code).toBe(1);
    expect(report.state('codebase dirty')).toBe('ok');
    expect(report.out).toContain('entries: 1');
    expect(report.state('codebase plain')).toBe('ok');
    expect(report.state('codebase asked')).toBe('fail');
    expect(report.state('codebase inside')).toBe('fail');
  });

  it('asks the repositories that are to be cloned', async () => {
    const url = `file://${path.join(folder, 'repo')}`;
    const config = path.join(folder, 'worker.json');
    const codebases = [{ path: url }, { path: `${url}-gone`, name: 'gone' }];
    await writeFile(config, JSON.stringify({ codebases, clone_from: ['*'], global: false }));
    const report = await doctor(['--config', config]);
    expect([report.state('codebase repo'), report.state('codebase gone')]).toEqual(['ok', 'fail']);
  });

  it('says that the agent that the settings name is not there', async () => {
    const report = await doctor([], { A2A_AGENT_BIN: 'no-such-agent' });
    expect([report.code, report.state('agents')]).toEqual([1, 'fail']);
  });

  it('says that the agent that the settings name is too old, and from which version on it works', async () => {
    const [old] = standIns.old;
    if (old === undefined) throw new Error('no stand-in');
    const { program } = await plantStandIn(folder, old);
    const report = await doctor([], { A2A_AGENT_BIN: program });
    expect([report.code, report.state('agents')]).toEqual([1, 'fail']);
    expect(report.out).toMatch(/version 2\.0\.0 is too old: 2\.\d+\.\d+ is the oldest version that works/);
  });

  it('says that a broker is away, which is no failure', async () => {
    const report = await doctor([], { A2A_BROKER_URL: 'redis://:secret-word@127.0.0.1:9' });
    expect([report.code, report.state('broker')]).toEqual([0, 'warn']);
    expect(report.out).not.toContain('secret-word');
  });

  it('counts what waits in the spool and what was set aside', async () => {
    const dead = path.join(folder, 'data/workers/testhost/spool/dead');
    await mkdir(dead, { recursive: true });
    await writeFile(path.join(dead, 'x.json'), '{}');
    const report = await doctor();
    expect([report.code, report.state('own folder')]).toEqual([0, 'warn']);
    expect(report.out).toContain('set aside: 1');
  });

  it('says that its own folder cannot be made', async () => {
    await writeFile(path.join(folder, 'data'), 'a file');
    const report = await doctor();
    expect([report.code, report.state('own folder')]).toEqual([1, 'fail']);
  });
});

describe('the line of doctor on what keeps the processes of runs', () => {
  const there = (): Promise<string> => Promise.resolve('/here');
  const missing = (): Promise<string> => Promise.reject(new Error('there is none'));

  it('is a warning with a remedy where a daemon can get away, and nowhere else', async () => {
    for (const [cgroup, subreaper, state] of [
      [there, there, 'ok'],
      [there, missing, 'ok'],
      [missing, there, 'ok'],
      [missing, missing, 'warn'],
    ] as const) {
      const check = await checkContainment({}, [], { cgroup, subreaper });
      expect([check.name, check.state, check.remedy !== '']).toEqual(['processes', state, state === 'warn']);
      if (cgroup === missing) expect(check.found).toContain('there is none');
    }
  });
});
