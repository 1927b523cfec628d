// The commands that talk to a service: what they print, what they end with. choices-1.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import { openService, type ManualWorker, type TestService } from '../../support/service.ts';
import { command, type Outcome, type CliContext } from '../../support/process/cli-io.ts';
import { temporaryFolder } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let worker: ManualWorker;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let codebaseId: string;

beforeAll(async () => {
  service = await openService();
  folder = await temporaryFolder();
  await mkdir(path.join(folder.path, 'repo', 'deep'), { recursive: true });
  const codebases = [
    { codebase_id: 'global', name: 'global', path: folder.path },
    { name: 'repo', path: path.join(folder.path, 'repo') },
  ];
  worker = await service.worker({ codebases });
  codebaseId = worker.registered.codebases.find(({ name }) => name === 'repo')?.codebase_id ?? '';
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** As somebody who has named the service by environment. */
async function cli(args: readonly string[], place: CliContext = {}): Promise<Outcome> {
  const env = { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('operator'), ...place.env };
  return command(args, { cwd: folder.path, ...place, env });
}

async function create(...more: string[]): Promise<string> {
  const { code, out } = await cli(['task', 'create', '--codebase', 'repo', 'do it', ...more]);
  expect(code).toBe(0);
  return out.trim();
}

/** Takes the task, reports, and ends it. */
async function work(taskId: string, release: Record<string, unknown>): Promise<void> {
  const [assignment] = await worker.claim(1, taskId);
  if (assignment === undefined) throw new Error('nothing to work on');
  const event = { type: 'output', n: 1, stream: 'stdout', text: 'words of the agent' };
  expect((await worker.report(assignment, [event])).status).toBe(200);
  expect((await worker.release(assignment, release)).status).toBe(200);
}

const diff = 'diff --git a/x b/x\n+Grüße\n';
const completed = { status: 'completed', result: 'all done', artifacts: [{ name: 'diff', text: diff }] };

describe('the service and the token', () => {
  it('come from flags, from the environment, or from files [choices-1.7, choices-1.58]', async () => {
    const file = path.join(folder.path, 'token');
    await writeFile(file, `${service.token('viewer')}\n`);
    const ways: [string[], NodeJS.ProcessEnv][] = [
      [['--url', service.url, '--token', service.token('viewer')], {}],
      [['--url', service.url, '--token-file', 'token'], {}],
      [[], { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('viewer') }],
      [[], { SWITCHYARD_URL: `${service.url}/`, SWITCHYARD_TOKEN_FILE: file }],
    ];
    for (const [flags, env] of ways) {
      const { code, err } = await command(['task', 'list', ...flags], { env, cwd: folder.path });
      expect(`${code} ${err}`).toBe('0 ');
    }
  });

  it('come from DATA_DIR/cli.json, whose token goes to its own address alone [choices-1.57]', async () => {
    const dataDir = path.join(folder.path, '.switchyard');
    await mkdir(dataDir, { recursive: true });
    await writeFile(
      path.join(dataDir, 'cli.json'),
      JSON.stringify({ url: service.url, token: service.token('viewer') }),
    );
    expect((await command(['task', 'list'], { cwd: folder.path })).code).toBe(0);
    expect((await command(['task', 'list'], { cwd: '/', env: { DATA_DIR: dataDir } })).code).toBe(0);
    const elsewhere = await command(['task', 'list', '--url', 'http://127.0.0.1:1'], { cwd: folder.path });
    expect(elsewhere.code).toBe(exitCodes.refused);
    expect(elsewhere.err).toContain('There is no token for http://127.0.0.1:1.');
  });
});

describe('codebases', () => {
  it('are listed with their workers', async () => {
    const { out } = await cli(['codebase', 'list']);
    expect(out).toMatch(new RegExp(`^${codebaseId} +repo +active +1 +${folder.path}/repo$`, 'm'));
  });

  it('are named by id, by name, and by a path at or below which a worker holds one', async () => {
    await symlink(path.join(folder.path, 'repo', 'deep'), path.join(folder.path, 'link'));
    const codebaseNames = [codebaseId, 'repo', './repo', 'repo/deep', 'link'];
    const created = codebaseNames.map(async (word) => cli(['task', 'create', '--json', '--codebase', word, 'x']));
    const found = (await Promise.all(created)).map(({ out }) => JSON.parse(out).task.codebase_id);
    expect(found).toEqual(codebaseNames.map(() => codebaseId));
    const { code, err } = await cli(['task', 'create', '--codebase', '/elsewhere', 'x']);
    expect(code).toBe(exitCodes.notFound);
    expect(err).toContain('switchyard codebase add /elsewhere');
  });

  it('are added by asking the workers for the path, and taken out again', async () => {
    const adding = cli(['codebase', 'add', '--name', 'second', 'other folder']);
    const [pathTask] = await until('the question for the path', async () => {
      const found = await worker.claim(1);
      const [first] = found;
      if (first !== undefined && first.task.codebase_id !== '__pending__') {
        await worker.release(first, { status: 'completed', result: '' });
      }
      return first?.task.codebase_id === '__pending__' ? found : undefined;
    });
    if (pathTask === undefined) throw new Error('no question');
    const where = path.join(folder.path, 'other folder');
    const body = { name: 'second', path: where, worker_id: worker.id };
    const bound = await service.call('POST', '/v1/agent/codebases', { as: 'agent', body });
    await worker.release(pathTask, {
      status: 'completed',
      result: JSON.stringify({ codebase_id: bound.body.codebase.codebase_id }),
    });
    expect(await adding).toMatchObject({ code: 0, out: `${bound.body.codebase.codebase_id}  second  ${where}\n` });
    const removed = await cli(['codebase', 'rm', 'second', '--token', service.token('admin')]);
    expect(removed).toMatchObject({ code: 0, out: `removed ${bound.body.codebase.codebase_id}  second\n` });
    expect((await cli(['codebase', 'rm', 'second'])).code).toBe(exitCodes.notFound);
  });

  it('do not take a misspelt word for the codebase that one stands in', async () => {
    const inside = { cwd: path.join(folder.path, 'repo') };
    for (const word of ['mispelt', 'deep', path.join(folder.path, 'repo', 'deep')]) {
      const removed = await cli(['codebase', 'rm', word, '--token', service.token('admin')], inside);
      expect(removed.code).toBe(exitCodes.notFound);
    }
    expect((await cli(['task', 'create', '--codebase', 'mispelt', 'x'], inside)).code).toBe(exitCodes.notFound);
    const other = { name: 'other', path: '/srv/other', worker_id: worker.registered.worker.id };
    const bound = await service.call('POST', '/v1/agent/codebases', { as: 'agent', body: other });
    const { out } = await cli(['task', 'create', '--json', '--codebase', 'other', 'x'], inside);
    expect(JSON.parse(out).task.codebase_id).toBe(bound.body.codebase.codebase_id);
    await service.worker({ name: 'another', codebases: [{ name: 'third', path: '/srv/other' }] });
    const ambiguous = await cli(['codebase', 'rm', '/srv/other', '--token', service.token('admin')]);
    expect(ambiguous).toMatchObject({ code: exitCodes.usage, err: expect.stringContaining('Several codebases') });
  });
});

describe('tasks', () => {
  it('take their prompt from arguments, a file or standard input, and their title from its first line', async () => {
    await writeFile(path.join(folder.path, 'prompt.md'), '\nfrom a file\nmore\n');
    const ways: [string[], string][] = [
      [['from', 'words'], 'from words'],
      [['--prompt-file', 'prompt.md'], 'from a file'],
      [['-'], 'from stdin'],
    ];
    for (const [args, title] of ways) {
      const { out } = await cli(['task', 'create', '--json', '--codebase', 'global', ...args], {
        stdin: 'from stdin\nx',
      });
      expect(JSON.parse(out).task.title).toBe(title);
    }
  });

  it('take everything that routes them', async () => {
    const flags = ['--priority', '7', '--agent', 'build', '--model', 'a:b', '--max-attempts', '2', '--title', 'T'];
    const more = ['--capability', 'x', '--capability', 'y', '--target-worker', worker.id];
    const bounds = ['--deadline', '2099-01-01T00:00:00Z', '--webhook-url', 'https://hooks.example.org/done'];
    const about = ['--conversation', 'c-1', '--metadata', '{"ticket": "T-1"}'];
    const all = [...flags, ...more, ...bounds, ...about];
    const { out } = await cli(['task', 'create', '--json', '--codebase', 'repo', ...all, 'p']);
    expect(JSON.parse(out).task).toMatchObject({
      title: 'T',
      priority: 7,
      agent_type: 'build',
      model: 'a:b',
      max_attempts: 2,
      required_capabilities: ['x', 'y'],
      target_worker_id: worker.id,
      deadline_at: '2099-01-01T00:00:00.000Z',
      webhook_url: 'https://hooks.example.org/done',
      conversation_id: 'c-1',
      metadata: { ticket: 'T-1' },
    });
  });

  it('are made once by one idempotency key', async () => {
    const first = await create('--idempotency-key', 'k1');
    expect(await create('--idempotency-key', 'k1')).toBe(first);
  });

  it('are listed, newest first, by state', async () => {
    const id = await create();
    const { out } = await cli(['task', 'list', '--status', 'pending', '--limit', '1']);
    expect(out).toMatch(new RegExp(`^ID +STATUS +AGE +TITLE\n${id} +pending .* do it\n$`));
  });

  it('are shown with their result, and their diff as it is for git apply', async () => {
    const id = await create();
    await work(id, completed);
    const shown = await cli(['task', 'show', id]);
    expect(shown.out).toMatch(/^status +completed$/m);
    expect(shown.out).toMatch(/\n\nall done\n$/);
    expect((await cli(['task', 'show', id, '--diff'])).out).toBe(diff);
    expect(JSON.parse((await cli(['task', 'show', id, '--json'])).out).artifacts).toHaveLength(1);
  });

  it('are shown with their diff behind more artifacts than a page holds', async () => {
    const id = await create();
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('nothing claimed');
    const others = Array.from({ length: 200 }, (_, i) => ({ type: 'artifact', n: i + 1, name: `a${i}`, text: 'a' }));
    for (let i = 0; i < others.length; i += 50) await worker.report(held, others.slice(i, i + 50));
    expect((await worker.release(held, completed)).status).toBe(200);
    expect((await cli(['task', 'show', id, '--diff'])).out).toBe(diff);
    expect(JSON.parse((await cli(['task', 'show', id, '--json'])).out).artifacts).toHaveLength(201);
  });

  it('are watched to their end: what the agent wrote on stdout, all else on stderr', async () => {
    const id = await create();
    const watching = cli(['task', 'watch', id]);
    await work(id, completed);
    const { code, out, err } = await watching;
    expect({ code, out }).toEqual({ code: 0, out: 'words of the agent\n' });
    expect(err).toMatch(/^· pending\n· running.*\n· artifact diff .*\n· completed\n/);
  });

  it('are logged so far, or to their end with -f', async () => {
    const id = await create();
    const following = cli(['logs', '-f', id]);
    await work(id, { status: 'failed', error: { code: 'agent_exit', message: 'no' } });
    expect(await following).toMatchObject({ code: 0, out: 'words of the agent\n' });
    expect(await cli(['logs', id])).toMatchObject({ code: 0, out: 'words of the agent\n' });
    const events = (await cli(['logs', '--json', id])).out.trim().split('\n');
    expect(events.map((line) => JSON.parse(line).seq)).toEqual(events.map((_, index) => index + 1));
  });

  it('are retried as new ones, and cancelled', async () => {
    const id = await create();
    await work(id, completed);
    const again = (await cli(['task', 'retry', id])).out.trim();
    expect(JSON.parse((await cli(['task', 'show', again, '--json'])).out).task.retry_of).toBe(id);
    expect(await cli(['task', 'cancel', again, '--reason', 'enough'])).toMatchObject({ out: `${again} cancelled\n` });
  });
});

describe('exit codes', () => {
  it('are those of help and README [choices-1.6]', async () => {
    const { out } = await command(['help', 'exit-codes']);
    const documented = out.split('\n').flatMap((line) => /^ *(\d+) {2}(\S.*)$/.exec(line)?.slice(1) ?? []);
    const codes = documented.filter((_, index) => index % 2 === 0).map(Number);
    expect(codes).toEqual(Object.values(exitCodes).toSorted((a, b) => a - b));
    const readme = await readFile(path.resolve(import.meta.dirname, '../../../README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| (\d+) +\| (.*?) *\|$/gm)].flatMap((row) => row.slice(1));
    expect(rows).toEqual(documented);
  });

  it('say how a followed task ended [choices-1.6]', async () => {
    const ends: [Record<string, unknown>, number][] = [
      [completed, exitCodes.ok],
      [{ status: 'failed', error: { code: 'agent_exit', message: 'no' } }, exitCodes.failed],
      [{ status: 'needs_input', message: { text: 'which?' } }, exitCodes.needsInput],
    ];
    for (const [release, code] of ends) {
      const id = await create();
      await work(id, release);
      expect((await cli(['task', 'watch', id])).code).toBe(code);
    }
  });

  it('go on after an answered question [choices-3.70]', async () => {
    const id = await create();
    await work(id, { status: 'needs_input', message: { text: 'which?' } });
    expect((await cli(['task', 'watch', id])).err).toContain(`task answer ${id}`);
    expect(await cli(['task', 'answer', id, 'this', 'one'])).toMatchObject({ code: 0, out: `${id} pending\n` });
    const watching = cli(['task', 'watch', id]);
    await work(id, completed);
    expect((await watching).code).toBe(0);
  });

  it('go on after an option was chosen [ui-6.3.10]', async () => {
    const id = await create();
    const options = [{ value: 'r', label: 'Red' }, { value: 'green' }];
    await work(id, { status: 'needs_input', message: { text: 'Which\ncolour?', options } });
    const { out } = await cli(['task', 'show', id]);
    expect(out).toMatch(/^question +Which colour\?$/m);
    expect(out).toMatch(/^options +r \(Red\), green$/m);
    for (const args of [[], ['red', '--option', 'r'], ['--option', 'blue']]) {
      expect((await cli(['task', 'answer', id, ...args])).code).toBe(exitCodes.usage);
    }
    expect(await cli(['task', 'answer', id, '--option', 'r'])).toMatchObject({ code: 0, out: `${id} pending\n` });
    await work(id, completed);
    expect((await cli(['task', 'show', id])).out).not.toContain('question');
  });

  const missing = '01890000-0000-7000-8000-000000000000';
  it.each([
    ['a wrong flag', ['task', 'list', '--nope'], exitCodes.usage],
    ['a command that is none', ['tsak'], exitCodes.usage],
    ['no prompt', ['task', 'create', '--codebase', 'global'], exitCodes.usage],
    ['no codebase', ['task', 'create', 'x'], exitCodes.usage],
    ['metadata that is none', ['task', 'create', '--codebase', 'global', '--metadata', '[1]', 'x'], exitCodes.usage],
    ['a number that is none', ['task', 'create', '--codebase', 'global', '--priority', 'high', 'x'], exitCodes.usage],
    ['input that the service refuses', ['task', 'list', '--limit', '1000'], exitCodes.usage],
    ['nobody there', ['task', 'list', '--url', 'http://127.0.0.1:1'], exitCodes.unreachable],
    ['a wrong token', ['task', 'list', '--token', 'wrong'], exitCodes.refused],
    ['a token that may not', ['task', 'cancel', missing, '--token', 'token-of-the-viewer'], exitCodes.refused],
    ['a task that is not there', ['task', 'show', missing], exitCodes.notFound],
  ])('report %s, in a line that says what to do [choices-1.6]', async (_, args, code) => {
    const ended = await cli(args);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(/^error: /);
    expect(ended.out).toBe('');
  });

  it('report a state that does not allow it [choices-1.6]', async () => {
    const id = await create();
    await work(id, completed);
    expect((await cli(['task', 'cancel', id])).code).toBe(exitCodes.conflict);
    const json = await cli(['task', 'cancel', id, '--json']);
    expect(JSON.parse(json.err).error).toMatchObject({ code: 'task_finished' });
  });
});

describe('every command', () => {
  const commands = [
    'up',
    'serve',
    'worker',
    'migrate',
    'doctor',
    'codebase add',
    'codebase list',
    'codebase rm',
    'task create',
    'task list',
    'task show',
    'task cancel',
    'task retry',
    'task watch',
    'task answer',
    'task pause',
    'task resume',
    'task tell',
    'logs',
    'ralph run',
    'ralph list',
    'ralph show',
    'ralph watch',
    'ralph answer',
    'ralph pause',
    'ralph resume',
    'ralph cancel',
    'ralph commit',
    'ralph tell',
    'ralph retry',
    'ralph progress',
    'ralph diff',
    'ralph bundle',
    'ralph lint',
    'ralph import',
    'prd chat',
    'prd list',
    'prd show',
    'prd export',
    'prd start',
    'key create',
    'key list',
    'key revoke',
    'user set',
    'user list',
    'user show',
    'user rm',
    'open',
    'usage',
    'cluster status',
    'cluster scale',
    'cluster health',
    'cluster reconcile',
    'cron list',
    'cron show',
    'cron runs',
    'cron validate',
    'cron create',
    'cron edit',
    'cron enable',
    'cron disable',
    'cron delete',
    'cron trigger',
    'analytics track',
    'analytics funnel list',
    'analytics funnel show',
    'analytics funnel write',
    'analytics funnel delete',
    'analytics attribution',
    'analytics erase',
    'okr list',
    'okr show',
    'okr stats',
    'okr runs',
    'okr create',
    'okr edit',
    'okr approve',
    'okr deny',
    'okr complete',
    'okr delete',
    'okr add',
    'okr change',
    'okr report',
    'okr remove',
    'okr run',
    'okr watch',
    'okr cancel',
    'attention list',
    'attention dismiss',
    'task why',
    'task attempts',
    'task review',
    'task bulk cancel',
    'task bulk retry',
    'task bulk priority',
    'worker drain',
    'tenant create',
    'tenant list',
    'db setup',
    'db status',
    'backup',
    'backup verify',
    'restore',
    'restore release',
    'audit verify',
    'audit tail',
    'audit export',
    'tools keygen',
    'tools sign',
    'tools list',
    'tools show',
    'tools register',
    'tools upload',
    'tools run',
    'tools revoke',
    'mcp config',
    'discovery export',
    'config print',
    'config print-worker',
  ];
  it.each(commands)('%s takes --json, and has help [choices-1.4, choices-1.5]', async (codebaseNames) => {
    const { code, out } = await command(['help', ...codebaseNames.split(' ')]);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: switchyard ${codebaseNames}`);
    expect(out).toContain('--json');
  });

  it('of the list above is one of the program, and none is missing there [choices-1.4, choices-1.9]', async () => {
    const { out } = await command(['help']);
    const documented = out.split('\n').flatMap((line) => /^ {2}([a-z]+)(?: \[| )/.exec(line)?.[1] ?? []);
    expect(new Set(documented.filter((word) => word !== 'help'))).toEqual(
      new Set(commands.map((codebaseNames) => codebaseNames.split(' ')[0])),
    );
  });

  it('prints its settings with their origin, as a table or as JSON [choices-1.28, choices-1.5]', async () => {
    const env = { PORT: '8001', SERVICE_AUTH_TOKEN: 'hush-not-to-be-shown' };
    const text = await command(['config', 'print'], { env, cwd: folder.path });
    expect(text.out).toMatch(/^PORT +8001 +environment PORT$/m);
    expect(text.out).toMatch(/^SERVICE_AUTH_TOKEN +\*\*\* +environment SERVICE_AUTH_TOKEN$/m);
    const json = await command(['config', 'print', '--json', '--port', '8002'], { env, cwd: folder.path });
    expect(JSON.parse(json.out).settings[0]).toEqual({ name: 'PORT', value: 8002, origin: 'flag --port' });
    const own = await command(['config', 'print-worker', '--server-url', 'http://h', '--json'], {
      env: { SWITCHYARD_TOKEN: 'hush' },
      cwd: folder.path,
    });
    expect(own.out).not.toContain('hush');
    expect(JSON.parse(own.out).settings).toContainEqual({ name: 'server_url', value: 'http://h', origin: 'flag' });
  });

  it('stops at a bad setting with one line and exit code 2 [choices-1.39]', async () => {
    const { code, err } = await command(['serve'], { env: { PORT: 'x' }, cwd: folder.path });
    expect({ code, err }).toEqual({
      code: exitCodes.usage,
      err: 'error: PORT (environment PORT): "x" is not allowed; write a port, 0 to 65535 (0: any free one)\n  `switchyard config print` shows every setting with its origin.\n',
    });
  });
});
