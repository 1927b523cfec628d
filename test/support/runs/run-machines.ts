// Machines that serve the steps of runs: worker processes, each with its own clone of a repository and its own data folder.
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestService } from '../service.ts';
import { until } from '../until.ts';
import { workerFolder } from '../worker/local-worker.ts';
import { workerProcess, type WorkerProcess } from '../worker/worker-process.ts';

const run = promisify(execFile);
const identity = ['-c', 'user.name=User', '-c', 'user.email=user@localhost'];

export interface RunMachine {
  readonly name: string;
  /** Its clone of the repository. */
  readonly repo: string;
  readonly git: (...args: string[]) => Promise<string>;
  /** Starts its worker; resolves when it is registered. */
  start(): Promise<void>;
  /** kill -9; resolves when the worker is gone. */
  kill(): Promise<void>;
  /** SIGTERM: the worker finishes its task and ends. */
  stop(): Promise<void>;
  logged(): string;
  /** Folders of attempts that its worker has left. */
  readonly leftAttempts: () => Promise<string[]>;
}

export interface RunMachines extends AsyncDisposable {
  readonly codebaseId: string;
  readonly machines: readonly RunMachine[];
}

export interface RunMachinesOptions {
  /** Files of the repository's only commit, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly count: number;
  readonly slots?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The file of tests that a story of `scriptedStory` adds. */
export function storyTest(id: string): string {
  return `test/${id.toLowerCase()}.test.mjs`;
}

/** A story that the agent `command` implements by these shell lines; its own test checks it. */
export function scriptedStory(id: string, lines: readonly string[], given: object = {}): Record<string, unknown> {
  const script = ['```sh', ...lines, '```'].join('\n');
  return {
    id,
    title: `Story ${id}`,
    description: script,
    acceptanceCriteria: [`\`node --test ${storyTest(id)}\` passes`],
    ...given,
  };
}

/** A repository whose test gate runs every test file. */
export const testedProject: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.mjs': [
    "import test from 'node:test';",
    "import assert from 'node:assert/strict';",
    "import { sum } from '../src/sum.mjs';",
    "test('adds', () => assert.equal(sum(1, 2), 3));",
    '',
  ].join('\n'),
};

/** Shell lines that write a module and its test. */
export function moduleLines(id: string): string[] {
  const name = id.toLowerCase();
  return [
    `echo "export const name = '${name}';" > src/${name}.mjs`,
    `printf '%s\\n' "import test from 'node:test';" "import assert from 'node:assert/strict';" ` +
      `"import { name } from '../src/${name}.mjs';" "test('${name}', () => assert.equal(name, '${name}'));" > ${storyTest(id)}`,
  ];
}

/** A repository whose only commit holds these files. */
export async function createRepository(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await run('git', ['init', '--quiet', '--initial-branch=main', folder]);
  await run('git', ['-C', folder, 'add', '.']);
  await run('git', ['-C', folder, ...identity, 'commit', '--quiet', '-m', 'first']);
}

/** Makes the repository and its clones, starts a worker for each, and registers the codebase once for all of them. */
export async function openRunMachines(
  service: Pick<TestService, 'url' | 'token'>,
  options: RunMachinesOptions,
): Promise<RunMachines> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await workerFolder());
  const origin = join(folder.path, 'origin');
  await createRepository(origin, options.files);
  let codebaseId: string | undefined;
  const machines: RunMachine[] = [];
  for (let i = 0; i < options.count; i += 1) {
    const machine = await openMachine(service, options, { place: join(folder.path, `machine-${i}`), origin, i });
    opening.defer(() => machine.kill());
    const codebase = {
      name: 'shop',
      path: machine.repo,
      ...(codebaseId === undefined ? {} : { codebase_id: codebaseId }),
    };
    const config = { codebases: [codebase], global: false, slots: options.slots ?? 1 };
    await writeFile(join(dirname(machine.repo), 'worker.json'), JSON.stringify(config));
    await machine.start();
    codebaseId ??= await registeredCodebase(service);
    machines.push(machine);
  }
  const owned = opening.move();
  return { codebaseId: codebaseId ?? '', machines, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function registeredCodebase(service: Pick<TestService, 'url' | 'token'>): Promise<string> {
  const reply = await fetch(`${service.url}/v1/agent/codebases`, {
    headers: { authorization: `Bearer ${service.token('admin')}` },
  });
  const { codebases }: { codebases: { codebase_id: string; name: string }[] } = JSON.parse(await reply.text());
  const found = codebases.find(({ name }) => name === 'shop');
  if (found === undefined) throw new Error('the codebase is not registered');
  return found.codebase_id;
}

async function openMachine(
  service: Pick<TestService, 'url' | 'token'>,
  { env = {} }: RunMachinesOptions,
  { place, origin, i }: { place: string; origin: string; i: number },
): Promise<RunMachine> {
  const repo = join(place, 'shop');
  const dataDir = join(place, 'data');
  await mkdir(place);
  await run('git', ['clone', '--quiet', origin, repo]);
  const name = `machine-${i}`;
  let worker: WorkerProcess | undefined;
  let logged = '';
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    worker?.signal(signal);
    await worker?.ended;
    logged += worker?.logged() ?? '';
    worker = undefined;
  };
  return {
    name,
    repo,
    async git(...args) {
      return (await run('git', ['-C', repo, ...args], { maxBuffer: 1e8 })).stdout.trimEnd();
    },
    async start() {
      const started = workerProcess(service, place, {
        A2A_WORKER_NAME: name,
        A2A_WORKER_CONFIG: join(place, 'worker.json'),
        A2A_POLL_INTERVAL: '1',
        A2A_WORKER_KILL_GRACE_SECONDS: '1',
        DATA_DIR: dataDir,
        HOME: place,
        ...env,
      });
      worker = started;
      await until(`${name} is registered`, () => started.logged().includes('registered'), 120_000);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    logged: () => logged + (worker?.logged() ?? ''),
    leftAttempts: () => readdir(join(dataDir, 'workers', name, 'runs')).catch(() => []),
  };
}
