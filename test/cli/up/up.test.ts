// `switchyard up` as a process: from the start in an empty folder, over a first task, to Ctrl-C. choices-1.
import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  bareEnvironment,
  processTreeOf,
  freePort,
  living,
  Program,
  run,
  temporaryFolder,
  type Ended,
} from '../../support/process/program.ts';
import { until } from '../../support/until.ts';

const exec = promisify(execFile);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let repository: string;
let up: Program;
let port: number;
let toolPort: number;

/** The command line, by somebody who stands in the repository. */
async function cli(...args: string[]): Promise<Ended> {
  return run(args, { cwd: repository });
}

async function git(...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
  return (await exec('git', [...who, ...args], { cwd: repository })).stdout;
}

async function call(method: string, where: string, body?: unknown): Promise<Response> {
  const { url, token } = JSON.parse(await readFile(path.join(repository, '.switchyard', 'cli.json'), 'utf8'));
  return fetch(`${url}${where}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
}

function block(...lines: string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

beforeAll(async () => {
  folder = await temporaryFolder('switchyard up ');
  repository = path.join(folder.path, 'a repository');
  await mkdir(repository);
  await git('init', '-q');
  await writeFile(path.join(repository, 'kept.txt'), 'kept\n');
  await git('add', '.');
  await git('commit', '-qm', 'first');
  port = await freePort();
  toolPort = await freePort();
  up = new Program({ args: ['up', '--port', String(port), '--mcp-port', String(toolPort)], cwd: repository });
  await up.printed(/Ctrl-C stops/);
});

afterAll(async () => {
  await up[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('up', () => {
  it('prints address, database, token, what is off, and the agent it enabled [choices-0.2, choices-1.54, choices-1.55, choices-1.56, choices-5.57, core-5.3.3]', async () => {
    expect(up.out).toContain(`service   http://127.0.0.1:${port}\n`);
    expect(up.out).toContain(`database  embedded PostgreSQL in ${repository}/.switchyard\n`);
    expect(up.out).toMatch(
      /^ {2}off +other machines, public address, .* \(switchyard doctor says how to turn each on\)$/m,
    );
    expect(up.out.match(/^ {2}off /gm)).toHaveLength(1);
    expect(up.out).toContain('the agent "command" is enabled for this worker');
    const [, token = ''] = /^ {2}token +(\S+)/m.exec(up.out) ?? [];
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(`${up.out}${up.err}`.split(token)).toHaveLength(2);
    expect((await fetch(`http://127.0.0.1:${port}/health?ready`)).status).toBe(200);
  });

  it('prints a one-time address that signs a browser in as the service token [ui-6.14.12]', async () => {
    const [, url = ''] = /^ {2}monitor +(\S+)$/m.exec(up.out) ?? [];
    const [, code = ''] = url.split(`http://127.0.0.1:${port}/v1/monitor/#code=`);
    const headers = { authorization: `Bearer ${code}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}' };
    const made = await fetch(`http://127.0.0.1:${port}/v1/auth/sessions`, init);
    expect(made.status).toBe(201);
    const { access_token: bearer } = z.object({ access_token: z.string() }).parse(await made.json());
    const me = await fetch(`http://127.0.0.1:${port}/v1/auth/me`, { headers: { authorization: `Bearer ${bearer}` } });
    expect(await me.json()).toMatchObject({ roles: ['admin'], credential: 'session' });
    expect((await fetch(`http://127.0.0.1:${port}/v1/auth/sessions`, init)).status).toBe(401);
  });

  it('logs JSON lines into a pipe, from the service and from the worker', () => {
    const records = up.err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^database migrated: 0001-installation\.sql, .*functions$/),
    );
    expect(records.some(({ pid }) => pid === undefined)).toBe(true);
  });

  it('serves the tools on a port of their own too [choices-1.8]', async () => {
    expect(up.out).toContain(`tools     http://127.0.0.1:${toolPort}/mcp`);
    const [, token = ''] = /^ {2}token +(\S+)/m.exec(up.out) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`http://127.0.0.1:${toolPort}/mcp/tools/list`, { headers });
    expect(await answer.json()).toMatchObject({ tools: expect.arrayContaining([expect.anything()]) });
  });

  it('leaves address and token for this user alone, and keeps its folder out of git [choices-1.57, choices-1.33]', async () => {
    const dataDir = path.join(repository, '.switchyard');
    const modes = ['cli.json', 'curl-header'].map(async (name) => (await stat(path.join(dataDir, name))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o600]);
    expect(await git('status', '--short')).toBe('');
  });

  it('lets the printed first task be pasted as it stands, and it works [choices-1.1, core-1.2.2, choices-5.55]', async () => {
    const lines = up.out.split('A first task, to paste into another terminal here:\n\n')[1] ?? '';
    const [command = '', curl = ''] = lines.split('\n\nThe same with curl:\n\n');
    const env = { ...bareEnvironment(), PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
    const first = await exec('sh', ['-c', command], { cwd: repository, env });
    expect(first.stdout).toMatch(/^Hello from /);
    const posted = await exec('sh', ['-c', curl.split('\n\n')[0] ?? ''], { cwd: repository, env });
    const { id } = JSON.parse(posted.stdout).task;
    expect((await cli('task', 'watch', id)).code).toBe(0);
  });

  it('carries no secret in the arguments of any process it started [choices-1.59]', async () => {
    const tree = await processTreeOf(up.pid);
    const worker = tree.find(({ command }) => / worker /.test(command));
    expect(tree.length).toBeGreaterThan(2);
    const environment = await readFile(`/proc/${worker?.pid}/environ`, 'utf8');
    // Its token came by the environment and shows there no more; in arguments it is known by its length.
    expect(environment).toMatch(/(?:^|\0)SWITCHYARD_TOKEN=\0/);
    expect(worker?.command).not.toMatch(/(?<![\w-])[\w-]{43}(?![\w-])/);
    const [, token = ''] = /^ {2}token +(\S+)/m.exec(up.out) ?? [];
    const dataDir = path.join(repository, '.switchyard');
    const password = (await readFile(path.join(dataDir, 'postgres-password'), 'utf8')).trim();
    for (const secret of [token, password]) {
      expect(secret.length).toBeGreaterThan(20);
      for (const { command } of tree) expect(command).not.toContain(secret);
    }
    expect(environment).not.toContain(token);
  });

  it('runs a task: followed, shown, logged, its diff applied with git [core-1.2, choices-1.4]', async () => {
    const prompt = block('echo working', 'echo new > new.txt', 'rm kept.txt');
    const created = await cli('task', 'create', '--codebase', '.', '--follow', prompt);
    expect(`${created.code} ${created.out}`).toBe('0 working\n');
    const [, id = ''] = /^task (\S+)$/m.exec(created.err) ?? [];
    expect((await cli('task', 'show', id)).out).toMatch(/^status +completed$/m);
    expect((await cli('logs', id)).out).toBe('working\n');
    const { out: diff } = await cli('task', 'show', id, '--diff');
    await writeFile(path.join(folder.path, 'a.diff'), diff);
    await git('apply', '--check', path.join(folder.path, 'a.diff'));
    expect(diff).toContain('deleted file mode');
  });

  it('reports a failing task by its exit code, and cancels and retries one [choices-1.6, core-3.1.6]', async () => {
    const failing = await cli('task', 'create', '--codebase', '.', '--follow', block('echo no >&2', 'exit 3'));
    expect(failing.code).toBe(1);
    const { out } = await cli('task', 'create', '--codebase', '.', block('echo begun', 'sleep 600'));
    const id = out.trim();
    await using watching = new Program({ args: ['task', 'watch', id], cwd: repository });
    await watching.printed(/begun/);
    expect((await cli('task', 'cancel', id)).code).toBe(0);
    expect((await watching.ended).code).toBe(1);
    const again = (await cli('task', 'retry', id)).out.trim();
    await cli('task', 'cancel', again);
    const listed = JSON.parse((await cli('task', 'list', '--json')).out);
    expect(listed.tasks[0]).toMatchObject({ id: again, retry_of: id, status: 'cancelled' });
  });

  it('gives the local worker a credential that can do what workers do, and no more', async () => {
    const { out } = await cli('codebase', 'list', '--json');
    const own = JSON.parse(out).codebases.find((codebase: { name: string }) => codebase.name === 'a repository');
    expect(own).toMatchObject({ path: repository, created_by: 'token:local-worker' });
  });

  it('is refused a second time on the same DATA_DIR, and on a port that is taken, in a line that says so', async () => {
    const second = await run(['up', '--port', '0'], { cwd: repository });
    expect(second.code).toBe(1);
    expect(second.err).toContain(`error: The data folder ${repository}/.switchyard is in use by process ${up.pid}.`);
    const taken = await run(['serve', '--port', String(port), '--data-dir', path.join(folder.path, 'other')], {
      cwd: folder.path,
    });
    expect(taken.code).toBe(1);
    expect(taken.err).toContain(`error: The port is taken: another program listens on 127.0.0.1:${port}.`);
  });

  it('is found well by doctor, which ends with 1 where something is not', async () => {
    const well = await run(['doctor', '--json', '--port', String(port)], { cwd: repository });
    const checks: { name: string; state: string; found: string }[] = JSON.parse(well.out).checks;
    const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ node: 'ok', git: 'ok', agents: 'warn', disk: 'ok', port: 'ok', database: 'ok' });
    expect(checks.find(({ name }) => name === 'database')?.found).toContain('which is ready');
    expect(well.code).toBe(0);
    const stranger = await freePort();
    await using other = new Program({
      args: ['-e', `require('node:http').createServer((_, r) => r.end('{}')).listen(${stranger}, '127.0.0.1')`],
      command: [process.execPath],
      cwd: repository,
    });
    await until('the other program', () => fetch(`http://127.0.0.1:${stranger}`).then(Boolean, () => false));
    const ill = await run(['doctor', '--port', String(stranger)], { cwd: repository });
    expect(ill.code).toBe(1);
    expect(ill.out).toMatch(/^fail +port +127\.0\.0\.1:\d+ is taken by another program$/m);
    other.signal('SIGTERM');
  });

  it('answers 503 with Retry-After while PostgreSQL is gone, and recovers by itself [core-7.8, choices-1.60, choices-1.61]', async () => {
    const postgres = async (): Promise<number | undefined> =>
      (await processTreeOf(up.pid)).find(({ command, parent }) => parent === up.pid && /\/postgres /.test(command))
        ?.pid;
    const killed = await postgres();
    if (killed === undefined) throw new Error('no PostgreSQL');
    const end = (pid: number | undefined): void => {
      try {
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      } catch {
        // It ended in this moment.
      }
    };
    const body = { title: 'while it is away', prompt: 'x', codebase_id: 'global' };
    const refused = await until('a refusal', async () => {
      // On a busy machine it may be back before it was missed.
      end(await postgres());
      const answer = await call('POST', '/v1/agent/tasks', body);
      return answer.status === 503 ? answer : undefined;
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'store_unavailable' });
    await until('health again', async () => (await fetch(`http://127.0.0.1:${port}/health?ready`)).status === 200);
    expect(await postgres()).not.toBe(killed);
    const after = await cli('task', 'create', '--codebase', '.', '--follow', block('echo back'));
    expect(`${after.code} ${after.out}`).toBe('0 back\n');
  });

  it('starts its worker again when that dies', async () => {
    const worker = async (): Promise<number | undefined> =>
      (await processTreeOf(up.pid)).find(({ command }) => / worker --codebase /.test(command))?.pid;
    const killed = await until('a worker', worker);
    process.kill(killed, 'SIGKILL');
    await up.printed(/The local worker ended \(SIGKILL\); restarting it in 1 s/);
    await until('another worker', async () => {
      const found = await worker();
      return found !== undefined && found !== killed;
    });
    const after = await cli('task', 'create', '--codebase', '.', '--follow', block('echo again'));
    expect(`${after.code} ${after.out}`).toBe('0 again\n');
  });

  it('leaves nothing running after Ctrl-C, a task under way included', async () => {
    const gate = path.join(folder.path, 'gate');
    const underWay = block('echo begun', `while [ ! -e '${gate}' ]; do sleep 0.1; done`);
    const { out } = await cli('task', 'create', '--codebase', '.', underWay);
    await using watching = new Program({ args: ['logs', '-f', out.trim()], cwd: repository });
    await watching.printed(/begun/);
    watching.interrupt();
    expect((await watching.ended).code).toBe(130);
    const tree = (await processTreeOf(up.pid)).map(({ pid }) => pid);
    up.interrupt();
    await writeFile(gate, '');
    expect(await up.ended).toMatchObject({ code: 0, signal: null });
    expect(await living(tree)).toEqual([]);
    expect((await cli('task', 'list')).code).toBe(3);
  });

  it('starts again with what it had, in its folder, and leaves nothing running after kill -9', async () => {
    await using again = new Program({ args: ['up', '--json', '--port', '0'], cwd: repository });
    const [, ready = ''] = await again.printed(/^(\{"event":"worker_ready".*\})$/m);
    const { codebase_id } = JSON.parse(ready);
    const listed = JSON.parse((await cli('codebase', 'list', '--json')).out).codebases;
    expect(listed.filter(({ name }: { name: string }) => name === 'a repository')).toHaveLength(1);
    expect(listed).toContainEqual(expect.objectContaining({ codebase_id, path: repository }));
    // Nothing outlives it even when it is given no time: the worker's channel breaks, the system signals PostgreSQL.
    const tree = (await processTreeOf(again.pid)).map(({ pid }) => pid);
    expect(tree.length).toBeGreaterThan(2);
    again.signal('SIGKILL');
    await until('an end of all', async () => (await living(tree)).length === 0);
  });
});
