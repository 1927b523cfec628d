// The commands `switchyard ralph`: runs that a scripted worker serves, as a person at the command line sees them.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import { command, type CliContext, type Outcome } from '../../support/process/cli-io.ts';
import { cutConnections } from '../../support/process/cut-connections.ts';
import { Program, temporaryFolder } from '../../support/process/program.ts';
import { openRunSite, prdDocument, storyDocument, type RunSite } from '../../support/runs/new-run.ts';
import { rejected, scriptStepWorker, type StepScript } from '../../support/runs/scripted-step-worker.ts';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  service = await openService();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

let sites = 0;
const site = (): Promise<RunSite> => {
  sites += 1;
  return openRunSite(service, `cli-${sites}`);
};

const env = (): Record<string, string> => ({
  SWITCHYARD_URL: service.url,
  SWITCHYARD_TOKEN: service.token('operator'),
});

function cli(args: readonly string[], place: CliContext = {}): Promise<Outcome> {
  return command(args, { cwd: folder.path, ...place, env: { ...env(), ...place.env } });
}

async function writePrd(given: Record<string, unknown> = {}): Promise<string> {
  const file = path.join(folder.path, `prd-${Math.random().toString(36).slice(2)}.json`);
  await writeFile(file, JSON.stringify(prdDocument(given)));
  return file;
}

/** Starts a run by the command line. @returns its id */
async function start(place: RunSite, given: Record<string, unknown> = {}, ...flags: string[]): Promise<string> {
  const { code, out, err } = await cli([
    'ralph',
    'run',
    await writePrd(given),
    '--codebase',
    place.codebaseId,
    ...flags,
  ]);
  expect(`${code} ${err}`).toMatch(/^0 Run created: /);
  return out.trim();
}

/** Follows a run by the command line while a worker serves it until one of the states is reached. */
async function watchWhile(place: RunSite, runId: string, args: string[], script?: StepScript): Promise<Outcome> {
  const worker = scriptStepWorker(service, place, script);
  const watching = cli(args);
  await worker.workUntil(runId, 'completed', 'failed', 'needs_input');
  return watching;
}

const asking: StepScript = (step) => (step.kind === 'implement' ? { asks: 'Which colour?' } : undefined);

describe('ralph run and watch', () => {
  it('start a run from a file and follow it to its end with one line an event and the code 0 [runs-6.4.1]', async () => {
    const place = await site();
    const id = await start(place, {}, '--max-iterations', '2', '--budget-tokens', '5000', '--budget-time', '2h');
    const { body } = await service.call('GET', `/v1/ralph/runs/${id}`);
    expect(body.run).toMatchObject({ max_iterations: 2, mode: 'sequential', budget: { tokens: 5000, seconds: 7200 } });
    const { code, out, err } = await watchWhile(place, id, ['ralph', 'watch', id]);
    expect(code).toBe(exitCodes.ok);
    const lines = out.trimEnd().split('\n');
    expect(lines.every((line) => /^\d\d:\d\d:\d\d {2}\S/.test(line))).toBe(true);
    expect(out).toMatch(/US-001 implementing: iteration 1: implementing\n/);
    expect(out).toMatch(/US-001 iteration 1: gate test passed in 1\.5 s\n/);
    expect(out).toMatch(/US-001 criterion 1 passed by check\n/);
    expect(out).toMatch(/US-003 landed as [0-9a-f]{7}\n/);
    expect(lines.at(-1)).toMatch(/run completed$/);
    expect(err).toContain(`ralph diff ${id}`);
  });

  it('take a YAML document from standard input, and several options, as JSON [runs-6.4.1]', async () => {
    const place = await site();
    const id = await start(place);
    const yaml = await service.call('GET', `/v1/ralph/runs/${id}/prd`, { headers: { accept: 'application/yaml' } });
    const flags = [
      '--parallel',
      '2',
      '--agent',
      'claude',
      '--agent',
      'codex',
      '--model',
      'm',
      '--branch-policy',
      'continue',
    ];
    const { code, out } = await cli(['ralph', 'run', '-', '--json', '--codebase', place.codebaseId, ...flags], {
      stdin: yaml.body.replace('branchName: login', 'branchName: other'),
    });
    expect(code).toBe(exitCodes.ok);
    const created = JSON.parse(out);
    expect(created).toMatchObject({ success: true, run: { mode: 'parallel', max_parallel: 2 } });
  });

  it('read Markdown, and tell what the document lost [runs-6.4.1]', async () => {
    const place = await site();
    const file = path.join(folder.path, 'prd.md');
    await writeFile(
      file,
      '# Shop\n\nA shop.\n\n### US-001: Log in\n\n**Description:** As a user I log in.\n\n- [ ] `npm test` passes\n',
    );
    const { code, out, err } = await cli(['ralph', 'run', 'prd.md', '--json', '--codebase', place.codebaseId]);
    expect(`${code} ${err.includes('error')}`).toBe('0 false');
    expect(JSON.parse(out).run.story_results).toMatchObject([{ story_id: 'US-001', title: 'Log in' }]);
  });

  it('end with 1 when the run has failed, and say why [runs-6.4.1]', async () => {
    const place = await site();
    const id = await start(place, { userStories: [storyDocument('US-001')] }, '--max-iterations', '1');
    const script: StepScript = (step) =>
      step.kind === 'check' ? { result: rejected(step, 'gate_failed', () => false) } : undefined;
    const { code, out, err } = await watchWhile(place, id, ['ralph', 'watch', id, '--json'], script);
    expect(code).toBe(exitCodes.failed);
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'run', data: { status: 'failed' } });
    expect(err).toBe('');
    const again = await cli(['ralph', 'watch', id]);
    expect([again.code, again.err]).toEqual([exitCodes.failed, expect.stringContaining('stories_failed')]);
  });

  it('show each event once and in order over connections that are cut every few kilobytes [runs-6.4.1]', async () => {
    const place = await site();
    const id = await start(place);
    await scriptStepWorker(service, place).workUntil(id, 'completed');
    const log = await service.call('GET', `/v1/ralph/runs/${id}/events?limit=1000`);
    const shown = await service.call('GET', `/v1/ralph/runs/${id}`);
    // The run itself comes through whole, and then some events.
    const most = JSON.stringify(shown.body).length + 1500;
    await using cut = await cutConnections(service.url, (connection) => most + ((connection * 331) % 700));
    const { code, out } = await cli(['ralph', 'watch', id, '--json'], { env: { SWITCHYARD_URL: cut.url } });
    expect(code).toBe(exitCodes.ok);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(log.body.events);
    expect(cut.cuts).toBeGreaterThan(0);
  });

  it('end with 7 when the run asks, and print how to answer [runs-6.4.1, runs-6.4.2]', async () => {
    const place = await site();
    const id = await start(place, { userStories: [storyDocument('US-001')] });
    const { code, err } = await watchWhile(place, id, ['ralph', 'watch', id], asking);
    expect(code).toBe(exitCodes.needsInput);
    expect(err).toMatch(new RegExp(`Which colour\\?[^]*ralph answer ${id} --question [0-9a-f-]{36} 'your text'`));

    const shown = await cli(['ralph', 'answer', id]);
    expect([shown.code, shown.out]).toEqual([exitCodes.needsInput, expect.stringContaining('Which colour?')]);
    const answered = await cli(['ralph', 'answer', id, 'blue,', 'please']);
    expect(answered).toMatchObject({ code: exitCodes.ok, out: `${id} running\n` });
    const worker = scriptStepWorker(service, place);
    await worker.workUntil(id, 'completed');
    expect((await cli(['ralph', 'answer', id, 'red'])).code).toBe(exitCodes.conflict);
    expect(await cli(['ralph', 'watch', id])).toMatchObject({ code: exitCodes.ok });
  });

  it('end with 130 on Ctrl-C, and say that the run goes on [runs-6.4.1]', async () => {
    const place = await site();
    const args = ['ralph', 'run', await writePrd(), '--codebase', place.codebaseId, '--watch'];
    await using program = new Program({ args, cwd: folder.path, env: env() });
    const [id = ''] = await program.printed(/^[0-9a-f-]{36}$/m);
    await scriptStepWorker(service, place).claimStep('implement');
    await program.printed(/implementing/);
    program.interrupt();
    const { code, err } = await program.ended;
    expect(code).toBe(exitCodes.interrupted);
    expect(err).toContain('the run goes on');
    expect((await service.call('GET', `/v1/ralph/runs/${id}`)).body.run.status).toBe('running');
  });

  it('keep a small table in a terminal, with marks and the last line of the agent [runs-6.4.1]', async () => {
    const place = await site();
    const id = await start(place);
    const line = `${process.execPath} ${path.resolve('src/cli.ts')} ralph watch ${id}`;
    const columns = `stty cols 100 rows 20; ${line}`;
    await using program = new Program({
      args: ['-qec', columns, '/dev/null'],
      command: ['script'],
      cwd: folder.path,
      env: env(),
    });
    const worker = scriptStepWorker(service, place);
    const { assignment } = await worker.claimStep('implement');
    await place.worker.report(assignment, [{ type: 'output', n: 1, stream: 'agent', text: 'reading the tests\n' }]);
    await program.printed(/US-001 +implementing +0 +· +reading the tests/);
    await until('the table drawn again in place', () => /\[\d+A.\[0J/.test(program.out) || undefined);
    await worker.release(assignment, { failed: { code: 'agent_exit', message: 'gone' } });
    await worker.workUntil(id, 'completed');
    const { code, out } = await program.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/US-001 +passed +2 +✓ +commit [0-9a-f]{7}/);
    expect(out).toContain('shop: completed, 3 of 3 stories, iteration 2 of 5');
  });
});

describe('the other commands of ralph', () => {
  it('list and show runs, a story with its evidence, and what the run left [runs-6.4.2]', async () => {
    const place = await site();
    const id = await start(place);
    await scriptStepWorker(service, place).workUntil(id, 'completed');
    const list = await cli(['ralph', 'list', '--codebase', place.codebaseId]);
    expect(list.out).toMatch(new RegExp(`^${id} +completed +3/3 +\\d+ s +ralph/login +shop$`, 'm'));
    expect((await cli(['ralph', 'list', '--status', 'failed', '--codebase', place.codebaseId])).out).not.toContain(id);
    const shown = await cli(['ralph', 'show', id]);
    expect(shown.out).toMatch(/status +completed\n[^]*gates +test `npm test`\n[^]*US-002 +passed +1 +✓ +commit/);
    const story = await cli(['ralph', 'show', id, '--story', 'US-002']);
    expect(story.out).toMatch(/✓ 1\. `npm test -- US-002` passes\n +passed by check; `npm test -- US-002` exit 0/);
    expect(story.out).toMatch(/iteration 1: passed; claude; implement ok, check ok; Did US-002\./);
    expect(JSON.parse((await cli(['ralph', 'show', id, '--json'])).out).run.run_id).toBe(id);

    expect((await cli(['ralph', 'progress', id])).out).toMatch(/^# Progress: shop/);
    expect((await cli(['ralph', 'diff', id, '--story', 'US-001'])).out).toBe('--- a/x\n+++ b/x\n');
    const bundle = path.join(folder.path, 'run.bundle');
    expect((await cli(['ralph', 'bundle', id, '--output', bundle])).code).toBe(0);
    expect(await readFile(bundle, 'utf8')).toBe('bundle');
    expect((await cli(['ralph', 'bundle', id])).out).toBe('bundle');
    expect(await cli(['ralph', 'commit', id])).toMatchObject({ code: 0, out: `${id} completed\n` });
    const missing = await cli(['ralph', 'show', '01890000-0000-7000-8000-000000000000']);
    expect(missing.code).toBe(exitCodes.notFound);
  });

  it('pause, tell, resume, cancel and retry a run [runs-6.4.2]', async () => {
    const place = await site();
    const id = await start(place);
    await scriptStepWorker(service, place).claimStep('implement');
    expect(await cli(['ralph', 'pause', id, '--now'])).toMatchObject({ code: 0, out: `${id} paused\n` });
    expect((await cli(['ralph', 'tell', id, 'Use', 'tabs', '--story', 'US-001'])).code).toBe(0);
    expect((await cli(['ralph', 'progress', id])).out).toContain('Use tabs');
    expect(await cli(['ralph', 'resume', id])).toMatchObject({ code: 0, out: `${id} running\n` });
    expect((await cli(['ralph', 'resume', id])).code).toBe(exitCodes.conflict);
    expect(await cli(['ralph', 'cancel', id, '--reason', 'enough'])).toMatchObject({
      code: 0,
      out: `${id} cancelled\n`,
    });
    expect((await cli(['ralph', 'watch', id])).code).toBe(exitCodes.failed);
    const retried = await cli(['ralph', 'retry', id, '--json', '--max-iterations', '3']);
    expect(JSON.parse(retried.out)).toMatchObject({ max_iterations: 3, run: { retry_of: id } });
  });

  it('lint a PRD, with the code 1 where no run can take it [runs-6.4.2]', async () => {
    const good = await cli(['ralph', 'lint', await writePrd()]);
    expect([good.code, good.out]).toEqual([0, expect.stringMatching(/warning {2}no_gates[^]*valid\n$/)]);
    const file = await writePrd({ userStories: [storyDocument('US-001', { dependsOn: ['US-009'] })] });
    const bad = await cli(['ralph', 'lint', file]);
    expect([bad.code, bad.out]).toEqual([exitCodes.failed, expect.stringMatching(/error {4}unknown_dependency/)]);
    const refused = await cli(['ralph', 'run', file, '--codebase', (await site()).codebaseId]);
    expect([refused.code, refused.err]).toEqual([exitCodes.usage, expect.stringContaining('US-009')]);
    expect((await cli(['ralph', 'lint', 'no-such-file.yaml'])).code).toBe(exitCodes.usage);
  });

  it('import the documents of other tools, and tell what was dropped [runs-6.4.2]', async () => {
    const tasks = { tasks: [{ id: 1, title: 'Log in', description: 'Login', status: 'pending', dependencies: [7] }] };
    await writeFile(path.join(folder.path, 'tasks.json'), JSON.stringify(tasks));
    const out = path.join(folder.path, 'made.json');
    const { code, err } = await cli(['ralph', 'import', 'tasks.json', '--from', 'taskmaster', '--output', out]);
    expect(code).toBe(0);
    expect(err).toMatch(/^(?:warning|dropped) /m);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ userStories: [{ id: 'TM-1', title: 'Log in' }] });
    expect((await cli(['ralph', 'import', 'tasks.json', '--from', 'kiro'])).code).toBe(exitCodes.usage);
  });
});

it('the table never has more lines than the terminal, nor wider ones [runs-6.4.1]', async () => {
  const { liveLines } = await import('../../../src/cli/ralph/live-table.ts');
  const place = await site();
  const stories = Array.from({ length: 40 }, (_, index) => storyDocument(`US-${index}`, { title: 'long '.repeat(60) }));
  const id = await start(place, { userStories: stories });
  const run = await until('the run', async () => (await service.call('GET', `/v1/ralph/runs/${id}`)).body.run);
  for (const [columns, rows] of [
    [40, 10],
    [200, 24],
    [10, 3],
    [80, 60],
  ] as const) {
    const lines = liveLines(run, { columns, rows });
    expect(lines.length).toBeLessThan(rows);
    for (const line of lines) expect(line.length).toBeLessThan(columns);
  }
});
