// The kernel's view of the programs themselves: a secret that came in by the environment shows in no /proc/…/environ.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExposedSecrets, checkSecrets } from '../../../src/cli/process/exposed-secrets.ts';
import { secretVariables } from '../../../src/lib/system/secret-variables.ts';
import { envName } from '../../../src/server/config/setting-layers.ts';
import { serviceSettingNames, serviceSettingRows as serviceRows } from '../../../src/server/config/setting-table.ts';
import { workerSettingRows as workerRows } from '../../../src/worker/settings/settings-table.ts';
import { openService, type TestService } from '../../support/service.ts';
import { cloneDatabase } from '../../support/database/database.ts';
import { databaseEnvironment } from '../../support/database/database-url.ts';
import { processTreeOf, Program, run, temporaryFolder } from '../../support/process/program.ts';
import { outputOf, repository, script, taskIn } from '../../support/worker/local-worker.ts';
import { workerProcess } from '../../support/worker/worker-process.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const entry = path.join(root, 'src', 'cli.ts');

function canary(): string {
  return `canary-${randomBytes(12).toString('hex')}`;
}

async function environmentOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, 'latin1');
}

describe('the list of secret variables', () => {
  it('has every setting of the service and of the worker that is secret [choices-1.59]', () => {
    const service = serviceSettingNames.filter((name) => serviceRows[name].secret === true).map(envName);
    const worker = Object.values(workerRows).flatMap(({ env, secret }) => (secret === true ? [env] : []));
    expect(service.length).toBeGreaterThan(5);
    expect(worker).toContain('SWITCHYARD_TOKEN');
    expect([...service, ...worker].filter((name) => !secretVariables.includes(String(name)))).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a secret in the environment', () => {
  let testService: TestService;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    testService = await openService();
    folder = await temporaryFolder('switchyard environment ');
  });
  afterAll(async () => {
    await testService[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('of a worker cannot be read by its agent, and serves the worker all the same', async () => {
    const cwd = await repository(path.join(folder.path, 'work'));
    const key = canary();
    await using _worker = workerProcess(testService, cwd, { A2A_WORKER_NAME: 'closed', MODEL_PROVIDER_API_KEY: key });
    // Each process above the agent: its command, and which of our secrets show in its first environment.
    const lines = [
      'p=$PPID; while [ "$p" -gt 1 ]; do',
      `tr '\\0' '\\n' < /proc/$p/environ | grep -a -e '^SWITCHYARD_TOKEN=' -e '^MODEL_PROVIDER_API_KEY=' || true`,
      "p=$(sed 's/.*) //' /proc/$p/stat | cut -d' ' -f2); done; echo looked",
    ];
    const task = await testService.task({ prompt: script(...lines) });
    await taskIn(testService, task.id, 'completed');
    const output = await outputOf(testService, task.id);
    // The names are still there: it has looked at the right process.
    expect(output).toMatch(/^SWITCHYARD_TOKEN=$/m);
    expect(output).toMatch(/^MODEL_PROVIDER_API_KEY=$/m);
    expect(output).not.toContain(key);
    expect(output).not.toContain(testService.token('agent'));
  });

  it('of the service and of its launcher cannot be read, and lets callers in all the same', async () => {
    await using db = await cloneDatabase();
    const pretend = path.join(folder.path, 'pretend.cjs');
    await writeFile(pretend, `Object.defineProperty(process.versions, 'node', { value: '20.9.0' });`);
    const token = canary();
    const database = databaseEnvironment(db);
    await using serve = new Program({
      args: ['serve', '--port', '0', '--json'],
      cwd: folder.path,
      env: { ...database, SERVICE_AUTH_TOKEN: token, UNTOUCHED: 'stays' },
      command: [process.execPath, '--require', pretend, path.join(root, 'bin', 'switchyard.js')],
    });
    const [, line = ''] = await serve.printed(/^(\{"event":"started".*\})$/m);
    const { url } = JSON.parse(line);
    const answer = await fetch(`${url}/v1/agent/tasks`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    const tree = await processTreeOf(serve.pid);
    const shown = await Promise.all(tree.map(({ pid }) => environmentOf(pid)));
    expect(shown.length).toBeGreaterThan(1);
    for (const secret of [token, database['DATABASE_URL']]) {
      expect(shown.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(shown.some((text) => text.includes('UNTOUCHED=stays'))).toBe(true);
  });

  it('that a program above still shows is reported by `worker doctor`, by name alone, and by the worker as it starts', async () => {
    const token = canary();
    const env = { SWITCHYARD_TOKEN: token, A2A_SERVER_URL: 'http://127.0.0.1:9' };
    // A shell that stays beside what it has started, as npm's does.
    const command = ['/bin/sh', '-c', '"$0" "$@"; exit $?', process.execPath, entry] as const;
    const { out, err } = await run(['worker', 'doctor'], { cwd: folder.path, env, command: [...command] });
    expect(out).toMatch(/^warn {2}secrets +SWITCHYARD_TOKEN: in the environment of sh \(process \d+\), which/m);
    expect(out).toContain('_FILE');
    expect(out + err).not.toContain(token);
    await using worker = new Program({ args: ['worker'], cwd: folder.path, env, command: [...command] });
    await worker.printed(/SWITCHYARD_TOKEN: in the environment of sh \(process/);
    worker.interrupt();
    expect((await worker.ended).err).not.toContain(token);
  });

  it('is none where it is given as a file, or to the program alone', async () => {
    const file = path.join(folder.path, 'token');
    await writeFile(file, canary(), { mode: 0o600 });
    const ok = /^ok {4}secrets +no process environment exposes/m;
    for (const [name, value] of [
      ['SWITCHYARD_TOKEN_FILE', file],
      ['SWITCHYARD_TOKEN', canary()],
    ] as const) {
      const env = { [name]: value, A2A_SERVER_URL: 'http://127.0.0.1:9' };
      expect((await run(['worker', 'doctor'], { cwd: folder.path, env })).out).toMatch(ok);
    }
  });
});

describe('the look for secrets that show', () => {
  it('goes up to the first process, passes over what is empty or closed, and reveals no value', async () => {
    await using folder = await temporaryFolder();
    const plant = async (pid: number, parent: number, name: string, environment: string | undefined): Promise<void> => {
      const place = path.join(folder.path, String(pid));
      await mkdir(place);
      await writeFile(path.join(place, 'stat'), `${pid} (${name}) S ${parent} 1 1`);
      if (environment !== undefined) await writeFile(path.join(place, 'environ'), environment);
    };
    await plant(30, 20, 'node', 'SWITCHYARD_TOKEN=\0\0\0\0PATH=/bin\0');
    await plant(20, 10, 'npm (start) x', 'PATH=/bin\0DATABASE_URL=postgres://u:p@h\0PGPASSWORD=word\0');
    await plant(10, 5, 'closed', undefined);
    await plant(5, 1, 'sh', 'NOT_DATABASE_URL=x\0DATABASE_URL=postgres://u:p@h\0');
    await plant(1, 0, 'init', 'PATH=/bin\0');
    expect(await findExposedSecrets({ proc: folder.path, pid: 30 })).toEqual([
      { pid: 20, program: 'npm (start) x', names: ['DATABASE_URL', 'PGPASSWORD'] },
      { pid: 5, program: 'sh', names: ['DATABASE_URL'] },
    ]);
  });

  it('says of a system without /proc what it cannot hide', async () => {
    expect(await checkSecrets({}, 'darwin')).toMatchObject({ state: 'ok' });
    const { state, found } = await checkSecrets({ SWITCHYARD_TOKEN: 'word' }, 'darwin');
    expect([state, found]).toEqual([
      'warn',
      expect.stringMatching(/^SWITCHYARD_TOKEN: set in the environment, which darwin/),
    ]);
    expect(found).not.toContain('word');
  });
});
