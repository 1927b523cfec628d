// The commits of a run travel between two workers with separate clones, through the whole service: a story on one, its
// check on the other, its landing on the first; a clone without the base; bundles that are too large or damaged.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testRunConfig } from '../../support/builders/run-records.ts';
import { checkRunInvariants } from '../../support/database/run-invariants.ts';
import { createRepository, moduleLines, scriptedStory, testedProject } from '../../support/runs/run-machines.ts';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { localWorker, workerFolder, waitFor, type LocalWorker } from '../../support/worker/local-worker.ts';

const run = promisify(execFile);

/** Decides which of a worker's claims reach the service; it has no push channel. */
interface ClaimGate {
  isOpen: boolean;
  readonly fetch: typeof fetch;
}

function claimGate(isOpen: boolean): ClaimGate {
  const gate: ClaimGate = {
    isOpen,
    async fetch(input, init) {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname.endsWith('/tasks/stream')) throw new Error('no push channel here');
      if (pathname.endsWith('/tasks/claim') && !gate.isOpen) return Response.json({ tasks: [] });
      return fetch(input, init);
    },
  };
  return gate;
}

interface Place {
  readonly gate: ClaimGate;
  readonly id: string;
  readonly repo: string;
  readonly git: (...args: string[]) => Promise<string>;
}

interface Site extends AsyncDisposable {
  readonly service: TestService;
  readonly codebaseId: string;
  /** A file here is seen by every worker. */
  readonly folder: string;
  /** The first takes steps; the second takes none until its gate opens. */
  readonly here: Place;
  readonly there: Place;
}

async function openSite(options: { unrelated?: boolean; bundleMaxBytes?: number } = {}): Promise<Site> {
  await using opening = new AsyncDisposableStack();
  const { bundleMaxBytes = testRunConfig.bundleMaxBytes } = options;
  const service = opening.use(await openService({ config: { runs: { ...testRunConfig, bundleMaxBytes } } }));
  const folder = opening.use(await workerFolder());
  const [first, second] = [join(folder.path, 'here'), join(folder.path, 'there')];
  await createRepository(first, testedProject);
  if (options.unrelated === true) await createRepository(second, { 'other.txt': 'other\n' });
  else await run('git', ['clone', '--quiet', first, second]);
  const start = async (repo: string, isOpen: boolean, codebaseId?: string): Promise<Place> => {
    const gate = claimGate(isOpen);
    const codebase = { name: 'shop', path: repo, ...(codebaseId === undefined ? {} : { codebase_id: codebaseId }) };
    // A command of a story looks for a file outside its folder.
    const gates = 'unconfined';
    const named = { worker_name: repo, global: false, gates, codebases: [codebase], slots: 2, poll_interval: 0.2 };
    const worker: LocalWorker = opening.use(await localWorker(service, named, { fetch: gate.fetch }));
    const git: Place['git'] = async (...args) => (await run('git', ['-C', repo, ...args])).stdout.trimEnd();
    return { gate, id: worker.id, repo, git };
  };
  const here = await start(first, true);
  const { body } = await service.call('GET', `/v1/agent/codebases?worker_id=${here.id}`);
  const codebaseId: string = body.codebases[0].codebase_id;
  const there = await start(second, false, codebaseId);
  const owned = opening.move();
  return {
    service,
    codebaseId,
    folder: folder.path,
    here,
    there,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Step {
  readonly kind: string;
  readonly story_id: string | null;
  readonly status: string;
  readonly code: string | null;
  readonly worker_id: string | null;
  readonly task: string;
  readonly task_id: string;
}

function stepsOf({ service }: Site, runId: string): Promise<Step[]> {
  return service.db.query<Step>(
    `select s.kind, s.story_id, s.status, s.code, t.worker_id, t.status as task, s.task_id
     from ralph_steps s join tasks t on t.id = s.task_id where s.run_id = $1 order by s.id`,
    [runId],
  );
}

/** Waits for a step whose task has this status. */
function stepIn(site: Site, runId: string, kind: string, storyId: string, task: string): Promise<Step> {
  return until(`${kind} of ${storyId} is ${task}`, async () =>
    (await stepsOf(site, runId)).find((step) => step.kind === kind && step.story_id === storyId && step.task === task),
  );
}

async function createRun({ service, codebaseId }: Site, userStories: unknown[], options: object = {}): Promise<string> {
  const prd = { project: 'shop', description: 'A shop.', branchName: 'travel', userStories };
  const body = { codebase_id: codebaseId, prd, agent: 'command', ...options };
  const { status, body: created } = await service.call('POST', '/v1/ralph/runs', { as: 'editor', body });
  if (status !== 201) throw new Error(`no run: ${JSON.stringify(created)}`);
  return created.run_id;
}

function runIn(
  { service }: Site,
  runId: string,
  ...statuses: string[]
): // oxlint-disable-next-line typescript/no-explicit-any
Promise<any> {
  return until(`the run is ${statuses.join(' or ')}`, async () => {
    const { body } = await service.call('GET', `/v1/ralph/runs/${runId}`);
    return statuses.includes(body.run.status) ? body.run : undefined;
  });
}

const refsOf = ({ git }: Place): Promise<string> =>
  git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/remotes', 'refs/tags');

it('a story is implemented here, checked there and landed here; the other clone shows no new branch [runs-12.3]', async () => {
  await using site = await openSite();
  const { here, there, folder } = site;
  const before = await refsOf(there);
  const [implemented, checked] = [join(folder, 'implemented'), join(folder, 'checked')];
  const runId = await createRun(
    site,
    [
      scriptedStory('US-001', [...moduleLines('US-001'), waitFor(implemented)]),
      scriptedStory('US-002', [...moduleLines('US-002'), waitFor(implemented)], {
        checks: [{ command: `test -e src/us-002.mjs && { ${waitFor(checked)}; }` }],
      }),
    ],
    { mode: 'parallel' },
  );
  await stepIn(site, runId, 'implement', 'US-001', 'running');
  await stepIn(site, runId, 'implement', 'US-002', 'running');
  here.gate.isOpen = false;
  there.gate.isOpen = true;
  await writeFile(implemented, '');
  await stepIn(site, runId, 'check', 'US-001', 'completed');
  await stepIn(site, runId, 'check', 'US-002', 'running');
  there.gate.isOpen = false;
  here.gate.isOpen = true;
  await writeFile(checked, '');
  const done = await runIn(site, runId, 'completed', 'failed', 'needs_input');
  const steps = await stepsOf(site, runId);
  expect([done.status, done.error, done.questions]).toEqual(['completed', null, []]);
  const by = new Map(steps.map((step) => [`${step.kind} ${step.story_id ?? ''}`.trim(), step.worker_id]));
  expect(Object.fromEntries(by)).toEqual({
    prepare: here.id,
    'implement US-001': here.id,
    'implement US-002': here.id,
    'check US-001': there.id,
    'check US-002': there.id,
    'land US-002': here.id,
    publish: here.id,
  });
  expect(await here.git('rev-parse', 'refs/heads/ralph/travel')).toBe(done.head_commit);
  expect((await here.git('log', '--format=%s', `${done.base_commit}..ralph/travel`)).split('\n')).toHaveLength(2);
  expect(await refsOf(there)).toBe(before);
  expect(await checkRunInvariants(site.service.db)).toEqual([]);
}, 120_000);

it('a worker whose clone lacks the base gives the step to one that has it [runs-12.4]', async () => {
  await using site = await openSite({ unrelated: true });
  const { here, there, folder } = site;
  const before = await refsOf(there);
  const implemented = join(folder, 'implemented');
  const runId = await createRun(site, [scriptedStory('US-001', [...moduleLines('US-001'), waitFor(implemented)])]);
  await stepIn(site, runId, 'implement', 'US-001', 'running');
  here.gate.isOpen = false;
  there.gate.isOpen = true;
  await writeFile(implemented, '');
  await stepIn(site, runId, 'check', 'US-001', 'failed');
  here.gate.isOpen = true;
  const done = await runIn(site, runId, 'completed', 'failed', 'needs_input');
  expect([done.status, done.error, done.questions]).toEqual(['completed', null, []]);
  const checks = (await stepsOf(site, runId)).filter(({ kind }) => kind === 'check');
  expect(checks.map(({ status, code, worker_id: id }) => [status, code, id])).toEqual([
    ['infra', 'base_missing', there.id],
    ['ok', null, here.id],
  ]);
  expect(done.spent.iterations).toBe(1);
  expect(await refsOf(there)).toBe(before);
  expect(await checkRunInvariants(site.service.db)).toEqual([]);
}, 120_000);

it('a change that is larger than a bundle may be fails its run by that name [runs-12.3]', async () => {
  await using site = await openSite({ bundleMaxBytes: 20_000 });
  const large = [...moduleLines('US-001'), 'head -c 50000 /dev/urandom > large.bin'];
  const runId = await createRun(site, [scriptedStory('US-001', large)], { max_iterations: 1 });
  const done = await runIn(site, runId, 'completed', 'failed', 'needs_input');
  expect(done).toMatchObject({ status: 'failed', error: { code: 'bundle_too_large' } });
  expect(done.story_results[0].result).toMatch(/20,?000|bundle/u);
  expect(await checkRunInvariants(site.service.db)).toEqual([]);
}, 120_000);

it('a damaged bundle is not used: a person is asked, and the worker that has the commit goes on [runs-12.3]', async () => {
  await using site = await openSite();
  const { service, here, there, folder } = site;
  const implemented = join(folder, 'implemented');
  const runId = await createRun(site, [scriptedStory('US-001', [...moduleLines('US-001'), waitFor(implemented)])]);
  await stepIn(site, runId, 'implement', 'US-001', 'running');
  here.gate.isOpen = false;
  await writeFile(implemented, '');
  const { task_id: taskId } = await stepIn(site, runId, 'implement', 'US-001', 'completed');
  const damaged = await service.db.query(
    `update task_events set data = jsonb_set(data, '{bytes}', to_jsonb(overlay(data->>'bytes' placing 'AAAAAAAAAAAA' from length(data->>'bytes') / 2)))
     where task_id = $1 and type = 'artifact' and data->>'name' = 'bundle' returning seq`,
    [taskId],
  );
  expect(damaged).toHaveLength(1);
  there.gate.isOpen = true;
  const asked = await runIn(site, runId, 'completed', 'failed', 'needs_input');
  expect(asked.questions).toMatchObject([{ kind: 'infra', story_id: 'US-001' }]);
  expect(asked.questions[0].text).toContain('damaged');
  there.gate.isOpen = false;
  here.gate.isOpen = true;
  const answer = { question_id: asked.questions[0].question_id, choice: 'retry' };
  const answered = await service.call('POST', `/v1/ralph/runs/${runId}/answer`, { as: 'editor', body: answer });
  expect(answered.status).toBe(200);
  const done = await runIn(site, runId, 'completed', 'failed', 'needs_input');
  expect([done.status, done.error, done.spent.iterations]).toEqual(['completed', null, 1]);
  const checks = (await stepsOf(site, runId)).filter(({ kind }) => kind === 'check');
  expect(checks.map(({ status, code, worker_id: id }) => [status, code, id])).toEqual([
    ...Array.from({ length: 3 }, () => ['infra', 'bundle_damaged', there.id]),
    ['ok', null, here.id],
  ]);
  expect(await checkRunInvariants(service.db)).toEqual([]);
}, 120_000);

it('a retry goes on from the old head in another clone, when the tasks of the old steps and its worker are gone [runs-5.12, runs-12.12, runs-18.7]', async () => {
  await using site = await openSite();
  const { service, here, there, folder } = site;
  const [mended, stories] = [
    join(folder, 'mended'),
    [
      scriptedStory('US-001', moduleLines('US-001')),
      scriptedStory('US-002', [`test -e ${join(folder, 'mended')} || exit 1`, ...moduleLines('US-002')]),
    ],
  ];
  const runId = await createRun(site, stories, { max_iterations: 1 });
  const failed = await runIn(site, runId, 'completed', 'failed', 'needs_input');
  expect(failed).toMatchObject({ status: 'failed', stories: { passed: 1, failed: 1 } });
  const head = failed.head_commit;
  await until('the branch has the first story', async () => (await here.git('rev-parse', 'ralph/travel')) === head);
  // Their retention is over, and so is the worker's life.
  await service.db.query('delete from tasks where step_run_id = $1', [runId]);
  const gone = await service.call('POST', `/v1/agent/workers/${here.id}/unregister`, { as: 'admin', body: {} });
  expect(gone.status).toBe(200);
  here.gate.isOpen = false;
  there.gate.isOpen = true;
  await writeFile(mended, '');
  const { status, body } = await service.call('POST', `/v1/ralph/runs/${runId}/retry`, { as: 'editor', body: {} });
  expect(status).toBe(201);
  const done = await runIn(site, body.run_id, 'completed', 'failed', 'needs_input');
  expect([done.status, done.error, done.questions]).toEqual(['completed', null, []]);
  expect(done).toMatchObject({ base_commit: head, retry_of: runId, stories: { passed: 2 } });
  expect(await there.git('rev-parse', 'ralph/travel', 'ralph/travel^')).toBe(`${done.head_commit}\n${head}`);
  const subjects = await there.git('log', '--format=%s', 'main..ralph/travel');
  expect(subjects).toBe('feat: US-002 - Story US-002\nfeat: US-001 - Story US-001');
}, 120_000);
