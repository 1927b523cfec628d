// Real workers for tests: one in this process, or one in a process of its own, in a folder that goes with the test.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../../src/worker/base/clock.ts';
import { createLog } from '../../../src/worker/base/log.ts';
import { loadSettings } from '../../../src/worker/settings/settings.ts';
import type { SettingsSources } from '../../../src/worker/settings/settings-layers.ts';
import { startWorker, type WorkerHandle } from '../../../src/worker/worker.ts';
import type { TestService } from '../service.ts';
import { until } from '../until.ts';

const execFileAsync = promisify(execFile);

export interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** A new folder, removed with everything in it at the end. */
export async function workerFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'switchyard-worker-'));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface LocalWorker extends AsyncDisposable {
  readonly worker: WorkerHandle;
  readonly id: string;
  /** The folder it was started in: its `global` codebase. */
  readonly cwd: string;
  readonly logged: () => string;
}

/** Shell lines that wait for a file, at most ten minutes. */
export function waitFor(file: string): string {
  return `i=0; while [ ! -e ${file} ] && [ $i -lt 12000 ]; do sleep 0.05; i=$((i+1)); done`;
}

/** A fetch for which some calls break: before they are sent, or, with `after`, when their answer is on its way. */
export function fetchThat(breaks: (path: string) => string | false, when: 'before' | 'after' = 'before'): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const broken = breaks(pathname);
    if (broken !== false && when === 'before') throw new Error(broken);
    const response = await fetch(input, init);
    if (broken === false) return response;
    await response.arrayBuffer();
    throw new Error(broken);
  };
}

/** Settings of a worker, as its flags name them. */
export type WorkerFlags = SettingsSources['flags'];
const command = { agent_bin: 'command', allow_command: true };

/** A folder that is a git repository with one commit, so that runs have worktrees of their own. */
export async function repository(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  const git = (...args: string[]): Promise<unknown> => execFileAsync('git', ['-C', path, ...args]);
  await git('init', '--quiet');
  await git(
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@localhost',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'begin',
  );
  return path;
}

/** A worker of the agent `command` in this process, registered and with its folder as `global`. */
export async function localWorker(
  service: TestService,
  flags: WorkerFlags = {},
  worldly: Partial<Deps> = {},
): Promise<LocalWorker> {
  const folder = await workerFolder();
  const cwd = await repository(join(folder.path, 'global'));
  const defaults = { server_url: service.url, token: service.token('agent'), data_dir: join(folder.path, 'data') };
  const sources = { flags: { ...defaults, ...command, ...flags }, env: {}, cwd, hostname: 'here' };
  const { settings } = await loadSettings(sources);
  const lines: string[] = [];
  const log = createLog({ level: 'debug', format: 'pretty', write: (line) => lines.push(line) });
  const containment = { kind: 'none' } as const;
  const rest = {
    containment,
    fetch,
    clock: systemClock,
    random: Math.random,
    hostname: 'here',
    version: '1.2.0',
    ...worldly,
  };
  const worker = startWorker(settings, { env: { PATH: process.env['PATH'] }, log, ...rest });
  const id = await worker.ready;
  return {
    worker,
    id,
    cwd,
    logged: () => lines.join(''),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
type Deps = Parameters<typeof startWorker>[1];

/** Waits until the service has the task in one of these states, and answers it. */
export function taskIn(service: TestService, taskId: string, ...states: string[]): Promise<TaskBody> {
  return until(`task ${taskId} in ${states.join(' or ')}`, async () => {
    const { body } = await service.call('GET', `/v1/agent/tasks/${taskId}`);
    return states.includes(body.task.status) ? body.task : undefined;
  });
}
export interface TaskBody {
  readonly id: string;
  readonly status: string;
  readonly attempt: number;
  readonly worker_id: string | null;
  readonly result: string | null;
  readonly error: { code: string; message: string } | null;
}

/** Ends the lease of a task, as if its worker had been silent for that long; the reaper puts it back soon. */
export async function endLease(service: TestService, taskId: string): Promise<void> {
  await service.db.query('update tasks set lease_expires_at = now() where id = $1', [taskId]);
}

/** The statuses in a task's log, oldest first. */
export async function statusesOf(service: TestService, taskId: string): Promise<string[]> {
  const rows = await service.db.query<{ status: string }>(
    `select data->>'status' as status from task_events where task_id = $1 and type = 'status' order by seq`,
    [taskId],
  );
  return rows.map(({ status }) => status);
}

/** The output of a task's agent so far. */
export async function outputOf(service: TestService, taskId: string): Promise<string> {
  const { body } = await service.call('GET', `/v1/agent/tasks/${taskId}/output`);
  return body.output.map(({ text }: { text: string }) => text).join('');
}

/** A prompt that the agent `command` runs. */
export function script(...lines: string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}
