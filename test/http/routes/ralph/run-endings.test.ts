// The notifications and the results of a run: webhooks, the bundle, commits that wait, answers for single criteria, a base that is gone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId, openRunSite, prdDocument, storyDocument, type RunSite } from '../../../support/runs/new-run.ts';
import { rejected, scriptStepWorker, succeed, type StepScript } from '../../../support/runs/scripted-step-worker.ts';
import { openReceiver, type Receiver } from '../../../support/peers/webhook-receiver.ts';
import { openService, testConfig, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  const { runs } = testConfig();
  service = await openService({
    config: {
      egressAllow: ['127.0.0.1'],
      webhookBackoffSeconds: 0.02,
      webhookSecrets: ['signs-webhooks-alone'],
      runs: { ...runs, commitOnPass: false },
    },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

let sites = 0;
const openSite = (): Promise<RunSite> => {
  sites += 1;
  return openRunSite(service, `endings-${sites}`);
};
const get = (path: string, as: TestUser = 'viewer'): Promise<ApiReply> =>
  service.call('GET', `/v1/ralph/runs/${path}`, { as });
const post = (path: string, body: unknown = {}, as: TestUser = 'editor'): Promise<ApiReply> =>
  service.call('POST', `/v1/ralph/runs/${path}`, { as, body });
const oneStory = prdDocument({ userStories: [storyDocument('US-001')] });
const twoStories = prdDocument({ userStories: [storyDocument('US-001'), storyDocument('US-002')] });
/** The second story never passes. */
const secondFails: StepScript = (step) =>
  step.kind === 'check' && step.story_id === 'US-002'
    ? { result: rejected(step, 'check_failed', () => false) }
    : undefined;

describe('the webhook of a run', () => {
  it('is sent for a question and for the end, is listed with its attempts, and is sent again under its id [runs-6.2.2]', async () => {
    const site = await openSite();
    const asks: StepScript = (step) =>
      step.kind === 'prepare' ? { failed: { code: 'setup_failed', message: 'npm ci' } } : undefined;
    const hook = { prd: oneStory, codebase_id: site.codebaseId, webhook_url: `${receiver.url}/answer-500-once` };
    const id = await newRunId(service, hook);
    const { questions } = await scriptStepWorker(service, site, asks).workUntil(id, 'needs_input');
    const [, question] = await receiver.arrived('/answer-500-once', 2);
    expect(question?.json).toEqual({
      event: 'run_needs_input',
      run_id: id,
      status: 'needs_input',
      question: questions[0],
      error: null,
      timestamp: expect.any(String),
    });
    expect(question?.headers).toMatchObject({
      'webhook-id': expect.any(String),
      'webhook-timestamp': expect.any(String),
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    expect((await post(`${id}/cancel`)).status).toBe(200);
    const arrivals = await receiver.arrived('/answer-500-once', 4);
    expect(arrivals.at(-1)?.json).toMatchObject({ event: 'run_cancelled', run_id: id, status: 'cancelled' });
    const deliveries = await until('both are delivered', async () => {
      const listed = (await get(`${id}/deliveries`)).body.deliveries;
      return listed.length === 2 && listed.every(({ status }: { status: string }) => status === 'delivered') && listed;
    });
    expect(deliveries).toMatchObject([
      { kind: 'webhook', attempts: [{ status_code: 500 }, { status_code: 204 }] },
      { kind: 'webhook', attempts: [{ status_code: 500 }, { status_code: 204 }] },
    ]);
    const first = await get(`${id}/deliveries?limit=1`);
    expect(first.body.deliveries).toEqual([deliveries[0]]);
    const second = await get(`${id}/deliveries?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.deliveries).toEqual([deliveries[1]]);

    const again = `${id}/deliveries/${deliveries[0].delivery_id}/redeliver`;
    expect(await post(again, undefined, 'other')).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect(await post(again, undefined, 'viewer')).toMatchObject({ status: 403 });
    expect(await post(again, undefined, 'editor2')).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    expect(await post(`${id}/deliveries/${id}/redeliver`, undefined)).toMatchObject({
      status: 404,
      body: { code: 'delivery_not_found' },
    });
    expect(await post(again, undefined)).toMatchObject({
      status: 202,
      body: { delivery: { delivery_id: deliveries[0].delivery_id, status: 'pending' } },
    });
    const repeated = (await receiver.arrived('/answer-500-once', 5)).at(-1);
    expect(repeated?.headers['webhook-id']).toBe(question?.headers['webhook-id']);
    expect(repeated?.bytes.equals(question?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it('tells a completion, to the URL of the run alone [runs-6.2.2]', async () => {
    const site = await openSite();
    const hook = { prd: oneStory, codebase_id: site.codebaseId, webhook_url: `${receiver.url}/completed` };
    const id = await newRunId(service, hook);
    await scriptStepWorker(service, site).workUntil(id, 'completed');
    const [arrival] = await receiver.arrived('/completed');
    expect(arrival?.json).toMatchObject({ event: 'run_completed', run_id: id, status: 'completed', error: null });
    expect(arrival?.json).not.toHaveProperty('question');
    expect((await get(`${id}/deliveries`)).body.deliveries).toHaveLength(1);
  });
});

describe('commits that wait', () => {
  it('are put on the branch by commit, and the bundle is served then [runs-6.1.9, runs-6.1.11, runs-12.6]', async () => {
    const site = await openSite();
    const worker = scriptStepWorker(service, site);
    const id = await newRunId(service, { prd: oneStory, codebase_id: site.codebaseId });
    const done = await worker.workUntil(id, 'completed');
    expect(done.story_results[0].result).toMatch(/, waits for commit$/);
    expect(worker.seen.filter(({ kind }) => kind === 'publish')).toEqual([]);
    expect(await get(`${id}/bundle`)).toMatchObject({ status: 409, body: { code: 'not_ready' } });
    expect(await post(`${id}/commit`, {}, 'editor2')).toMatchObject({ status: 403 });
    expect(await post(`${id}/commit`)).toMatchObject({ status: 200, body: { run: { status: 'completed' } } });
    const publish = await until('the publish', () => worker.workOnce());
    expect(publish).toMatchObject({ kind: 'publish', head: done.head_commit, branch: 'ralph/login' });
    const story = await until('it waits no more', async () => {
      const { run } = (await get(id)).body;
      return !run.story_results[0].result.includes('waits') && run.story_results[0];
    });
    expect(story.result).toMatch(/^commit [0-9a-f]{7}: 1 of 1 criteria \(1 by test\)$/);
    const authorization = { authorization: `Bearer ${service.token('viewer')}` };
    const bundle = await fetch(`${service.url}/v1/ralph/runs/${id}/bundle`, { headers: authorization });
    expect([bundle.status, bundle.headers.get('content-type'), await bundle.text()]).toEqual([
      200,
      'application/x-git-bundle',
      'bundle',
    ]);
    expect(bundle.headers.get('content-disposition')).toBe(`attachment; filename="run-${id}.bundle"`);
    // There is nothing left to put on it.
    expect((await post(`${id}/commit`)).status).toBe(200);
    expect(await worker.workOnce()).toBeUndefined();
  });

  it('keep a retry from beginning once they are nowhere', async () => {
    const site = await openSite();
    const body = { prd: twoStories, codebase_id: site.codebaseId, max_iterations: 1 };
    const id = await newRunId(service, body);
    expect(await scriptStepWorker(service, site, secondFails).workUntil(id, 'failed')).toMatchObject({
      stories: { passed: 1, failed: 1 },
    });
    await service.db.query('delete from tasks where step_run_id = $1', [id]);
    expect(await post(`${id}/retry`)).toMatchObject({ status: 409, body: { code: 'base_gone' } });
  });
});

describe('a judge that cannot decide', () => {
  const criteria = ['It is friendly.', 'It is quick.'];
  const prd = prdDocument({ userStories: [storyDocument('US-001', { acceptanceCriteria: criteria })] });
  const unsure: StepScript = (step) => {
    const answer = succeed(step);
    if (answer.kind !== 'judge') return undefined;
    const verdicts = answer.criteria.map((one) => ({ ...one, verdict: 'unverifiable' as const, quotes: [] }));
    return { result: { ...answer, criteria: verdicts } };
  };
  const asked = async (): Promise<{ id: string; site: RunSite; questionId: string }> => {
    const site = await openSite();
    const id = await newRunId(service, { prd, codebase_id: site.codebaseId, max_iterations: 1 });
    const { questions } = await scriptStepWorker(service, site, unsure).workUntil(id, 'needs_input');
    expect(questions).toMatchObject([{ kind: 'unverifiable', story_id: 'US-001', options: ['accept', 'reject'] }]);
    return { id, site, questionId: questions[0].question_id };
  };

  it('leaves each criterion to a person, whose name is in the evidence [runs-5.7, runs-10.11]', async () => {
    const { id, site, questionId } = await asked();
    for (const choices of [{ '0': 'perhaps' }, { '7': 'accept' }, { first: 'accept' }]) {
      expect((await post(`${id}/answer`, { question_id: questionId, choices })).status).toBe(400);
    }
    const choices = { '0': 'accept', '1': 'accept' };
    expect((await post(`${id}/answer`, { question_id: questionId, choices })).status).toBe(200);
    const run = await scriptStepWorker(service, site).workUntil(id, 'completed', 'failed');
    expect(run).toMatchObject({
      status: 'completed',
      story_results: [{ result: expect.stringContaining('2 by a person') }],
    });
    const { story } = (await get(`${id}/stories/US-001`)).body;
    expect(story.criteria).toMatchObject([{ by: 'human' }, { by: 'human' }]);
    expect(story.evidence.filter(({ by }: { by: string }) => by === 'human')).toMatchObject([
      { criterion: 0, status: 'passed', subject: 'token:editor', commit: run.head_commit, at: expect.any(String) },
      { criterion: 1, status: 'passed', subject: 'token:editor', commit: run.head_commit, at: expect.any(String) },
    ]);
  });

  it('fails the attempt where the person rejects one, with the reason for the next', async () => {
    const { id, questionId } = await asked();
    const answer = { question_id: questionId, choices: { '0': 'accept', '1': 'reject' }, text: 'It takes a minute.' };
    expect((await post(`${id}/answer`, answer)).body.run).toMatchObject({ status: 'failed', stories: { passed: 0 } });
    const progress = await get(`${id}/progress.txt`);
    expect(progress.body).toContain('It takes a minute.');
  });
});

describe('POST /v1/ralph/import', () => {
  const files = [
    { name: 'prd.md', content: '# PRD: Shop\n\n### US-001: Log in\n\n- [ ] `npm test` passes\n' },
    { name: 'notes.txt', content: 'Ask Ada.' },
  ];
  const convert = (body: unknown, as: TestUser = 'editor'): Promise<ApiReply> =>
    service.call('POST', '/v1/ralph/import', { as, body });

  it('answers the document, in a form that a run takes, and what has no place in it [runs-13.11]', async () => {
    const { status, body } = await convert({ files });
    expect([status, body.prd.userStories, body.dropped]).toMatchObject([
      200,
      [{ id: 'US-001', title: 'Log in', acceptanceCriteria: ['`npm test` passes'] }],
      [{ path: 'notes.txt', value: 'Ask Ada.' }],
    ]);
    const site = await openSite();
    const id = await newRunId(service, { prd: body.prd, codebase_id: site.codebaseId });
    expect((await get(id)).body.run).toMatchObject({ project: 'Shop', stories: { total: 1 } });
    await post(`${id}/cancel`);
  });

  it('refuses files of no format, a format that there is not, and who may only read', async () => {
    const text = [{ name: 'idea.md', content: 'A login page.' }];
    expect(await convert({ files: text })).toMatchObject({ status: 400, body: { code: 'invalid_prd' } });
    expect(await convert({ files, format: 'taskmaster' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_prd' },
    });
    expect((await convert({ files, format: 'jira' })).status).toBe(400);
    expect((await convert({ files: [] })).status).toBe(400);
    expect((await convert({ files }, 'viewer')).status).toBe(403);
  });
});
