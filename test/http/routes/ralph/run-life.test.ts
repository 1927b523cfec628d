// The life of a run as its readers see it: stories, attempts, evidence, events, outputs, and the guidance of people. runs-6.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId, openRunSite, prdDocument, storyDocument, type RunSite } from '../../../support/runs/new-run.ts';
import { rejected, scriptStepWorker } from '../../../support/runs/scripted-step-worker.ts';
import { called } from '../../../support/mcp/client.ts';
import { openService, testConfig, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

let sites = 0;
const site = (): Promise<RunSite> => {
  sites += 1;
  return openRunSite(service, `site-${sites}`);
};
const get = (path: string, as: TestUser = 'viewer'): Promise<ApiReply> =>
  service.call('GET', `/v1/ralph/runs/${path}`, { as });
const post = (path: string, body: unknown = {}, as: TestUser = 'editor'): Promise<ApiReply> =>
  service.call('POST', `/v1/ralph/runs/${path}`, { as, body });

describe('a run of three stories', () => {
  it('shows its active time while it is at work [runs-18.9]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const id = await newRunId(service, { codebase_id: place.codebaseId });
    await worker.workOnce();
    const active = await until('its time grows', async () => {
      const { run } = (await get(id)).body;
      return run.status === 'running' && run.spent.seconds > 0 ? run.spent.seconds : undefined;
    });
    expect((await get(id)).body.run.spent.seconds).toBeGreaterThan(active);
    await post(`${id}/cancel`);
  });

  it('passes story by story, each with a commit, evidence and steps [runs-6.1.10, runs-10.11, runs-6.1.11, tools-1.4.2, tools-1.4.4, tools-2.3.5, tools-3.8]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const id = await newRunId(service, { codebase_id: place.codebaseId });
    const run = await worker.workUntil(id, 'completed', 'failed');
    expect(run).toMatchObject({
      status: 'completed',
      current_iteration: 1,
      stories: { total: 3, passed: 3, pending: 0, running: 0, failed: 0 },
      error: null,
      completed_at: expect.any(String),
      gates: [{ id: 'test', command: 'npm test', source: 'detected', baseline: { passed: true, exit_code: 0 } }],
      spent: { iterations: 3 },
    });
    for (const story of run.story_results) {
      expect(story).toMatchObject({
        status: 'passed',
        phase: null,
        iteration: 1,
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        result: expect.stringMatching(/^commit [0-9a-f]{7}: 1 of 1 criteria/),
        criteria: [{ index: 0, status: 'passed', by: 'check', before: 'failed', exit_code: 0 }],
      });
    }
    expect(run.head_commit).toBe(run.story_results[2].commit);

    const { stories } = (await get(`${id}/stories`)).body;
    expect(stories[0]).toMatchObject({
      description: 'As a user I have US-001.',
      depends_on: null,
      evidence: [{ criterion: 0, by: 'check', status: 'passed', task_id: expect.any(String), tail: 'ok' }],
    });
    expect(stories[0].evidence[0]).toMatchObject({
      n: 1,
      command: 'npm test -- US-001',
      exit_code: 0,
      seconds: 1.5,
      before: 'failed',
      counts: { passed: 3, failed: 0, skipped: 0 },
      commit: run.story_results[0].commit,
      at: expect.any(String),
    });
    expect(stories[0].steps.map(({ kind, status }: Record<string, string>) => [kind, status])).toEqual([
      ['implement', 'ok'],
      ['check', 'ok'],
    ]);
    const one = await get(`${id}/stories/US-001`);
    expect(one.body.story).toEqual(stories[0]);
    const task = await service.call('GET', `/v1/agent/tasks/${stories[0].steps[0].task_id}`);
    expect(task.body.task.step).toEqual({ run_id: id, story_id: 'US-001', n: 1, kind: 'implement' });
    const { attempts } = (await get(`${id}/stories/US-001/attempts`)).body;
    expect(attempts).toMatchObject([{ n: 1, try: 1, status: 'passed', failure_code: null, agent: 'claude' }]);
    expect((await get(`${id}/stories/US-001/attempts/1`)).body.attempt).toEqual(attempts[0]);

    const events = (await get(`${id}/events`)).body.events;
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(events.map((_: unknown, i: number) => i + 1));
    const kinds = new Set(events.map(({ type }: { type: string }) => type));
    expect([...kinds]).toEqual(expect.arrayContaining(['run', 'story', 'step', 'gate', 'evidence', 'landed']));
    expect(events.findLast(({ type }: { type: string }) => type === 'run').data.status).toBe('completed');

    const prd = await get(`${id}/prd`);
    expect(prd.body).toMatchObject({ project: 'shop', userStories: [{ id: 'US-001', passes: true }, {}, {}] });
    const yaml = await service.call('GET', `/v1/ralph/runs/${id}/prd`, { headers: { accept: 'application/yaml' } });
    expect([yaml.headers.get('content-type'), yaml.body]).toEqual([
      expect.stringContaining('application/yaml'),
      expect.stringMatching(/^project: shop\n/),
    ]);
    const lint = await service.call('POST', '/v1/ralph/lint', { body: { prd: yaml.body } });
    expect(lint.body.valid).toBe(true);
    const diff = await get(`${id}/diff?story_id=US-001`);
    expect([diff.status, diff.headers.get('content-type'), diff.body]).toEqual([
      200,
      expect.stringContaining('text/x-diff'),
      expect.stringContaining('+++ b/x'),
    ]);
  });

  it('learns from a failed attempt, and shows it [tools-1.4.3, tools-3.7, tools-3.7.2, tools-3.7.3]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place, (step) =>
      step.kind === 'check' && step.n === 1
        ? { result: rejected(step, 'check_failed', (command) => command === 'npm test') }
        : undefined,
    );
    const prd = prdDocument({ userStories: [storyDocument('US-001')] });
    const id = await newRunId(service, { codebase_id: place.codebaseId, prd });
    const run = await worker.workUntil(id, 'completed', 'failed');
    expect(run).toMatchObject({ status: 'completed', current_iteration: 2, story_results: [{ iteration: 2 }] });
    const { attempts } = (await get(`${id}/stories/US-001/attempts`)).body;
    expect(attempts).toMatchObject([
      { n: 1, status: 'failed', failure_code: 'check_failed', evidence: [{ status: 'failed', n: 1 }] },
      { n: 2, status: 'passed', evidence: [{ status: 'passed', n: 2 }] },
    ]);
    const { learnings } = (await get(`${id}/learnings?kind=failure`)).body;
    expect(learnings).toMatchObject([{ story_id: 'US-001', attempt_n: 1, kind: 'failure', author: 'director' }]);
    expect((await get(`${id}/learnings?story_id=US-009`)).body.learnings).toEqual([]);
    const progress = await get(`${id}/progress.txt`);
    expect(progress.headers.get('content-type')).toContain('text/plain');
    expect(progress.body).toMatch(/^# Progress: shop \(run .*\)\n## Codebase Patterns\n/);
    expect(progress.body).toContain('US-001, iteration 1: failed');
  });

  it('that never passes fails after its iterations, and its dependents with it [runs-5.11, tools-3.2]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place, (step) => {
      if (step.kind === 'check') return { result: rejected(step, 'check_failed', () => false) };
      return undefined;
    });
    const id = await newRunId(service, { codebase_id: place.codebaseId, max_iterations: 1 });
    const run = await worker.workUntil(id, 'completed', 'failed', 'needs_input');
    expect(run).toMatchObject({ status: 'failed', current_iteration: 1, error: { code: 'stories_failed' } });
    expect(run.story_results.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(worker.seen.filter(({ kind }) => kind === 'implement')).toHaveLength(1);
  });
});

describe('events', () => {
  it('are streamed from any number on, each once, and the stream ends with the run [runs-6.2.1]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const prd = prdDocument({ userStories: [storyDocument('US-001')] });
    const id = await newRunId(service, { codebase_id: place.codebaseId, prd });
    const stream = (after: string): Promise<ApiReply> =>
      service.call('GET', `/v1/ralph/runs/${id}/events`, {
        headers: { accept: 'text/event-stream', 'last-event-id': after },
      });
    const live = stream('0');
    await worker.workUntil(id, 'completed');
    const text: string = (await live).body;
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    expect(
      text
        .trimEnd()
        .split('\n\n')
        .findLast((frame) => frame.includes('event: run')),
    ).toContain('"status":"completed"');
    const rest: string = (await stream('3')).body;
    expect([...rest.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number))).toEqual(ids.slice(3));
    expect((await stream('9999')).body).toContain('event: resync');
  });
});

describe('people', () => {
  it('cancel a run: its task ends at once, and what has landed stays [runs-6.1.4, runs-8.8]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const id = await newRunId(service, { codebase_id: place.codebaseId });
    const { assignment } = await worker.claimStep('implement');
    const cancelled = await post(`${id}/cancel`, { reason: 'enough' });
    expect(cancelled).toMatchObject({ status: 200, body: { run: { status: 'cancelled' } } });
    expect(cancelled.body.run.stories).toMatchObject({ failed: 3 });
    const task = await service.call('GET', `/v1/agent/tasks/${assignment.task.id}`);
    expect(task.body.task.status).toBe('cancelled');
    for (const call of ['cancel', 'pause', 'resume', 'messages']) {
      const body = call === 'messages' ? { text: 'x' } : {};
      expect(await post(`${id}/${call}`, body)).toMatchObject({ status: 409, body: { code: 'run_finished' } });
    }
  });

  it('pause and resume a run [runs-5.1, runs-6.1.4]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const id = await newRunId(service, { codebase_id: place.codebaseId });
    expect(await post(`${id}/resume`)).toMatchObject({ status: 409, body: { code: 'not_paused' } });
    const { assignment } = await worker.claimStep('implement');
    const paused = await post(`${id}/pause`, { mode: 'now' });
    expect(paused.body.run.status).toBe('paused');
    const task = await service.call('GET', `/v1/agent/tasks/${assignment.task.id}`);
    expect(task.body.task.status).toBe('cancelled');
    expect((await post(`${id}/resume`)).body.run.status).toBe('running');
    expect(await worker.workUntil(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      current_iteration: 1,
    });
  });

  it('answer questions, once, by an option that the question has [runs-5.7, runs-6.1.5]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const red = scriptStepWorker(service, place, (step) => {
      if (step.kind !== 'prepare') return undefined;
      return { failed: { code: 'setup_failed', message: 'npm ci: exit 1' } };
    });
    const id = await newRunId(service, { codebase_id: place.codebaseId, conversation_id: `talk-${place.codebaseId}` });
    const run = await red.workUntil(id, 'needs_input', 'failed');
    expect(run).toMatchObject({
      status: 'needs_input',
      questions: [
        { question_id: expect.any(String), kind: 'infra', story_id: null, options: expect.arrayContaining(['retry']) },
      ],
    });
    const [{ question_id }] = run.questions;
    expect(await post(`${id}/answer`, { question_id, choice: 'nonsense' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/choice' }] },
    });
    expect(await post(`${id}/answer`, { question_id })).toMatchObject({ status: 400 });
    const unknown = { question_id: '01a1fe3a-a67c-7000-bbb2-66e11402a1ff', choice: 'retry' };
    expect(await post(`${id}/answer`, unknown)).toMatchObject({ status: 409, body: { code: 'no_question' } });
    const answered = await post(`${id}/answer`, { question_id, choice: 'RETRY' });
    expect(answered).toMatchObject({ status: 200, body: { run: { questions: [] } } });
    expect(await post(`${id}/answer`, { question_id, choice: 'retry' })).toMatchObject({
      status: 409,
      body: { code: 'question_answered' },
    });
    expect(await worker.workUntil(id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
  });

  it('guide a run: all later prompts have it, and the agent at work gets it [runs-6.1.7]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const id = await newRunId(service, { codebase_id: place.codebaseId });
    const { assignment } = await worker.claimStep('implement');
    const guidance = await post(`${id}/messages`, { text: 'Use the staging database.', story_id: 'US-001' });
    expect(guidance).toMatchObject({ status: 202, body: { learning_id: expect.any(String) } });
    expect(guidance.body.intervention_ids).toHaveLength(1);
    const beat = await place.worker.heartbeat([assignment]);
    expect(beat.body.interventions).toMatchObject([{ action: 'message', message: 'Use the staging database.' }]);
    expect((await get(`${id}/learnings?kind=guidance`)).body.learnings).toMatchObject([
      { id: guidance.body.learning_id, author: 'human', text: 'Use the staging database.', story_id: 'US-001' },
    ]);
    expect(await post(`${id}/messages`, { text: 'x', story_id: 'US-777' })).toMatchObject({
      status: 404,
      body: { code: 'story_not_found' },
    });
    expect((await post(`${id}/messages`, { text: ' ' })).status).toBe(400);
    await post(`${id}/cancel`);
  });

  it('change and remove stories that have not started [runs-6.1.8]', async () => {
    const place = await site();
    const worker = scriptStepWorker(service, place);
    const userStories = [
      storyDocument('US-001'),
      storyDocument('US-002', { dependsOn: ['US-001'] }),
      storyDocument('US-003', { dependsOn: ['US-002'] }),
    ];
    const id = await newRunId(service, { codebase_id: place.codebaseId, prd: prdDocument({ userStories }) });
    const patch = (storyId: string, body: unknown): Promise<ApiReply> =>
      service.call('PATCH', `/v1/ralph/runs/${id}/stories/${storyId}`, { as: 'editor', body });
    const remove = (storyId: string): Promise<ApiReply> =>
      service.call('DELETE', `/v1/ralph/runs/${id}/stories/${storyId}`, { as: 'editor' });
    const changed = await patch('US-003', {
      title: 'Other',
      criteria: ['`npm test` passes', 'It is fast.'],
      priority: 3,
    });
    expect(changed).toMatchObject({ status: 200, body: { story: { title: 'Other', priority: 3, status: 'pending' } } });
    expect(changed.body.story.criteria).toHaveLength(2);
    expect(await patch('US-002', { dependsOn: ['US-003'] })).toMatchObject({
      status: 400,
      body: { code: 'invalid_prd' },
    });
    expect(await patch('US-002', { title: ' ' })).toMatchObject({ status: 400, body: { code: 'invalid_prd' } });
    expect(await remove('US-002')).toMatchObject({ status: 409, body: { code: 'story_needed' } });
    expect((await remove('US-003')).status).toBe(204);
    expect(await remove('US-003')).toMatchObject({ status: 404, body: { code: 'story_not_found' } });
    await worker.workUntil(id, 'running');
    await until(
      'the first story runs',
      async () => (await get(`${id}/stories/US-001`)).body.story.status === 'running',
    );
    expect(await patch('US-001', { title: 'Late' })).toMatchObject({ status: 409, body: { code: 'story_started' } });
    expect(await remove('US-001')).toMatchObject({ status: 409 });
    expect(await worker.workUntil(id, 'completed', 'failed')).toMatchObject({ stories: { total: 2, passed: 2 } });
  });

  it('retry a run that is over, with its passed stories carried, and delete it [runs-5.12, runs-6.1.6, runs-6.1.12]', async () => {
    const place = await site();
    const failing = scriptStepWorker(service, place, (step) =>
      step.kind === 'check' && step.story_id === 'US-002'
        ? { result: rejected(step, 'check_failed', () => false) }
        : undefined,
    );
    const id = await newRunId(service, { codebase_id: place.codebaseId, max_iterations: 1 });
    expect(await post(`${id}/retry`)).toMatchObject({ status: 409, body: { code: 'run_not_finished' } });
    const refused = await service.call('DELETE', `/v1/ralph/runs/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'run_not_finished' } });
    const old = await failing.workUntil(id, 'failed', 'completed');
    expect(old.stories).toMatchObject({ passed: 1, failed: 2 });
    const retried = await post(`${id}/retry`, { max_iterations: 3 });
    expect(retried).toMatchObject({ status: 201, body: { success: true, max_iterations: 3, run: { retry_of: id } } });
    const [first] = retried.body.run.story_results;
    expect(first).toMatchObject({ status: 'passed', commit: old.story_results[0].commit });
    const story = await get(`${retried.body.run_id}/stories/US-001`);
    expect(story.body.story.carried_from).toBe(id);
    const worker = scriptStepWorker(service, place);
    const run = await worker.workUntil(retried.body.run_id, 'completed', 'failed');
    expect(run).toMatchObject({ status: 'completed', stories: { passed: 3 } });
    expect(worker.seen.filter(({ kind }) => kind === 'implement').map(({ story_id }) => story_id)).toEqual([
      'US-002',
      'US-003',
    ]);
    expect((await service.call('DELETE', `/v1/ralph/runs/${id}`, { as: 'editor' })).status).toBe(403);
    expect((await service.call('DELETE', `/v1/ralph/runs/${id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
  });
});

describe('a message to the conversation of a run', () => {
  const asking = async (conversationId: string): Promise<{ id: string; place: RunSite }> => {
    const place = await site();
    const failing = scriptStepWorker(service, place, () => ({ failed: { code: 'setup_failed', message: 'npm ci' } }));
    const prd = prdDocument({ userStories: [storyDocument('US-001')] });
    const body = { codebase_id: place.codebaseId, prd, conversation_id: conversationId };
    const id = await newRunId(service, body);
    await failing.workUntil(id, 'needs_input');
    return { id, place };
  };

  it('answers its open question by one of the options, else lists them and changes nothing [runs-6.3.3]', async () => {
    const { id, place } = await asking('talk-mcp');
    const send = (message: string) =>
      called(service, 'send_message', { message, conversation_id: 'talk-mcp', wait_seconds: 0 }, 'editor');
    const listed = await send('what is it?');
    expect(listed.structuredContent).toMatchObject({ run_id: id, status: 'needs_input' });
    expect(listed.structuredContent?.['response']).toMatch(/Nothing was changed[\s\S]*Options: .*retry/);
    const answered = await send(' Retry ');
    expect(answered.structuredContent).toMatchObject({ run_id: id, status: 'running' });
    await scriptStepWorker(service, place).workUntil(id, 'completed');
    // The run is over: the conversation is an ordinary one again.
    expect((await send('thanks')).structuredContent).toMatchObject({ task_id: expect.any(String) });
  });

  it('does so over A2A as well, and for others only if they are operators', async () => {
    const { id } = await asking('talk-a2a');
    const send = (text: string, as: TestUser): Promise<ApiReply> =>
      service.call('POST', '/a2a/jsonrpc', {
        as,
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'message/send',
          params: {
            message: {
              kind: 'message',
              messageId: text,
              role: 'user',
              contextId: 'talk-a2a',
              parts: [{ kind: 'text', text }],
            },
          },
        },
      });
    const listed = await send('hello', 'editor');
    expect(listed.body.result).toMatchObject({ kind: 'message', role: 'agent', contextId: 'talk-a2a' });
    expect(await send('retry', 'editor2')).toMatchObject({ status: 403 });
    const answered = await send('retry', 'operator');
    expect(answered.body.result.parts[0].text).toContain('has your answer');
    expect((await get(id)).body.run.status).toBe('running');
  });
});

describe('who may', () => {
  it('viewers read, editors change their own runs, operators those of others, other tenants see nothing [runs-6.1.16, runs-6.1.17]', async () => {
    const place = await site();
    const id = await newRunId(service, { codebase_id: place.codebaseId });
    const reads = ['', '/stories', '/stories/US-001', '/stories/US-001/attempts', '/events', '/learnings', '/prd'];
    for (const path of [...reads, '/progress.txt', '/deliveries']) {
      expect([path, (await get(`${id}${path}`)).status]).toEqual([path, 200]);
      expect([path, (await get(`${id}${path}`, 'other')).status]).toEqual([path, 404]);
    }
    for (const path of ['/diff', '/bundle'])
      expect(await get(`${id}${path}`)).toMatchObject({ status: 409, body: { code: 'not_ready' } });
    const changes: [string, unknown][] = [
      ['pause', {}],
      ['messages', { text: 'x' }],
      ['cancel', {}],
      ['retry', {}],
      ['commit', {}],
    ];
    for (const [path, body] of changes) {
      expect([path, (await post(`${id}/${path}`, body, 'viewer')).body.code]).toEqual([path, 'permission_missing']);
      expect([path, (await post(`${id}/${path}`, body, 'editor2')).body.code]).toEqual([path, 'not_owner']);
      const refusal = path === 'commit' ? 'needs_person' : 'not_owner';
      expect([path, (await post(`${id}/${path}`, body, 'agent')).body.code]).toEqual([path, refusal]);
      expect([path, (await post(`${id}/${path}`, body, 'other')).status]).toEqual([path, 404]);
    }
    expect((await post(`${id}/cancel`, {}, 'operator')).status).toBe(200);
    const mine = await service.call('POST', '/v1/ralph/runs', { as: 'viewer', body: { prd: prdDocument() } });
    expect(mine.body.code).toBe('permission_missing');
    const foreign = await service.call('POST', '/v1/ralph/runs', {
      as: 'other',
      body: { prd: prdDocument(), codebase_id: place.codebaseId },
    });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'codebase_not_found' } });
  });

  it('nobody where runs are turned off: nothing new starts, tools are not listed, reading goes on [runs-6.1.13, tools-8.1, ui-4.7.15]', async () => {
    const { runs } = testConfig();
    await using off = await openService({ config: { runs: { ...runs, enabled: false } } });
    const refused = await off.call('POST', '/v1/ralph/runs', { body: { prd: prdDocument(), codebase_id: 'x' } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'ralph_disabled' } });
    expect((await off.call('GET', '/v1/ralph/runs')).body).toEqual({ runs: [], next_cursor: null, enabled: false });
    expect(off.instance.mcp.tools.some(({ tool }) => tool.name.startsWith('ralph_'))).toBe(false);
  });
});
