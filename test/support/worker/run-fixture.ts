// A scene for one run: a repository in a temporary folder, the worker's own folder, and what the run emitted.
import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { buildWorkerTask } from '../builders/worker-task.ts';
import type { WorkerTask } from '../../../src/contracts/worker.ts';
import { commandAgent } from '../../../src/worker/agents/programs/command.ts';
import type { NewWorkerEvent } from '../../../src/worker/base/event.ts';
import { executeTask, type ExecuteOptions } from '../../../src/worker/attempt/execute.ts';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';

const run = promisify(execFile);

/** The environment that programs get in these tests: nothing of the machine's but the PATH, Node's folder first. */
function plainEnv(home: string): NodeJS.ProcessEnv {
  return { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`, HOME: home, LANG: 'C.UTF-8' };
}

export interface RunFixture extends AsyncDisposable {
  /** Everything lies in here. */
  root: string;
  /** The bound folder. */
  repo: string;
  stateDir: string;
  env: NodeJS.ProcessEnv;
  /** The events that attempts emitted, in order. */
  events: NewWorkerEvent[];
  git(...args: string[]): Promise<string>;
  /** Writes a file of the repository. */
  write(path: string, content: string | Buffer): Promise<void>;
  /** Runs a task in the repository; by default with the agent `command`, in place. */
  execute(task: Partial<WorkerTask>, options?: Partial<ExecuteOptions>): Promise<TaskOutcome>;
  /** The text of all output events of a stream. */
  output(stream?: 'stdout' | 'stderr' | 'agent'): string;
}

/** Branches, folders and later attempts go by the id. */
const fixedIds = { id: '01890000-0000-7000-8000-000000000001', run_id: '01890000-0000-7000-8000-000000000002' };

/** A task of a global codebase, under the same ids in each call. */
export function buildRunTask(fields: Partial<WorkerTask>): WorkerTask {
  return buildWorkerTask({ ...fixedIds, title: 'A task', prompt: 'Do it.', codebase_id: null, ...fields });
}

/** A prompt for the agent `command`. */
export function shellPrompt(block: string): string {
  return `Please run this:\n\n\`\`\`sh\n${block}\n\`\`\`\n`;
}

/** Makes a scene; with `repository: false` the bound folder is a plain one. */
export async function openRunFixture(options: { repository?: boolean } = {}): Promise<RunFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-run-')));
  const repo = join(root, 'repo');
  const stateDir = join(root, 'state');
  const env = plainEnv(join(root, 'home'));
  await mkdir(repo);
  await mkdir(join(root, 'home'));
  const events: NewWorkerEvent[] = [];
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=User', '-c', 'user.email=user@localhost'];
    return (await run('git', [...identity, ...args], { cwd: repo, env, maxBuffer: 1e8 })).stdout.trimEnd();
  };
  if (options.repository !== false) await git('init', '--quiet', '--initial-branch=main');
  return {
    root,
    repo,
    stateDir,
    env,
    events,
    git,
    async write(path, content) {
      await mkdir(dirname(join(repo, path)), { recursive: true });
      await writeFile(join(repo, path), content);
    },
    execute: (task, overrides = {}) =>
      executeTask(buildRunTask(task), {
        agent: commandAgent,
        binding: { codebaseId: 'c', path: repo, mode: 'in_place' },
        prices: { as_of: '2026-01-01', models: {} },
        stateDir,
        timeoutMs: 120_000,
        gitTimeoutMs: 60_000,
        clones: { from: [], timeoutMs: 60_000, push: false },
        maxOutputBytes: 1_000_000,
        killGraceMs: 300,
        containment: { kind: 'none' },
        env,
        passEnv: [],
        agentHome: 'user',
        emit: (event) => {
          events.push(event);
          return Promise.resolve();
        },
        signal: new AbortController().signal,
        ...overrides,
      }),
    output: (stream) =>
      events
        .map((event) => (event.type === 'output' && (!stream || event.stream === stream) ? event.text : ''))
        .join(''),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Every file of a folder but git's, with its content and whether it may be executed. */
export async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: [string, string][] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (name.split('/').includes('.git') || entry.isDirectory()) continue;
    if (entry.isSymbolicLink()) files.push([name, `-> ${await readlink(path)}`]);
    else {
      const executable = ((await lstat(path)).mode & 0o100) !== 0 ? 'x ' : '';
      files.push([name, executable + (await readFile(path)).toString('base64')]);
    }
  }
  return Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The artifact of that name. */
export function artifactOf(
  outcome: TaskOutcome,
  name: string,
): NonNullable<TaskOutcome['artifacts']>[number] | undefined {
  return outcome.artifacts?.find((artifact) => artifact.name === name);
}

/** The bytes of the artifact `diff`. */
export function diffOf(outcome: TaskOutcome): Buffer {
  const diff = artifactOf(outcome, 'diff');
  if (diff?.text !== undefined) return Buffer.from(diff.text);
  return Buffer.from(diff?.bytes ?? '', 'base64');
}

/** Copies a folder as it is, so that a diff can be applied to the copy later. */
export async function copyRepository(fixture: RunFixture): Promise<string> {
  const copy = join(fixture.root, 'copy');
  await cp(fixture.repo, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Applies a diff with `git apply` in a folder. */
export async function applyTo(fixture: RunFixture, folder: string, diff: Buffer): Promise<void> {
  const patch = join(fixture.root, 'served.diff');
  await writeFile(patch, diff);
  await run('git', ['apply', '--whitespace=nowarn', patch], { cwd: folder, env: fixture.env });
}
