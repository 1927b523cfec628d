// Decisions about a run that a person alone makes, by every way in which a program could make them. choices-4.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId, openRunSite, postRun, prdDocument, type RunSite } from '../../../support/runs/new-run.ts';
import { scriptStepWorker } from '../../../support/runs/scripted-step-worker.ts';
import { called } from '../../../support/mcp/client.ts';
import { openService, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';

let service: TestService;
let site: RunSite;
/** Runs of the agent itself, so that ownership does not stand in its way: one asks, and so does the step of the other. */
let asking: { runId: string; questionId: string };
let stepAsking: { runId: string; taskId: string };
beforeAll(async () => {
  service = await openService();
  site = await openRunSite(service);
  const failing = scriptStepWorker(service, site, () => ({ failed: { code: 'setup_failed', message: 'npm ci' } }));
  const runId = await newRunId(service, { codebase_id: site.codebaseId }, 'agent');
  const run = await failing.workUntil(runId, 'needs_input');
  asking = { runId, questionId: run.questions[0].question_id };
  const other = await newRunId(service, { codebase_id: site.codebaseId }, 'agent');
  const worker = scriptStepWorker(service, site, ({ kind }) =>
    kind === 'implement' ? { asks: 'Which colour?' } : undefined,
  );
  const { questions } = await worker.workUntil(other, 'needs_input');
  stepAsking = { runId: other, taskId: questions[0].data.task_id };
});
afterAll(() => service[Symbol.asyncDispose]());

const run = async (id: string): Promise<ApiReply['body']> =>
  (await service.call('GET', `/v1/ralph/runs/${id}`)).body.run;
const message = (text: string, place: Record<string, unknown>, as: TestUser): Promise<ApiReply> => {
  const params = {
    message: { kind: 'message', messageId: text, role: 'user', parts: [{ kind: 'text', text }], ...place },
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params };
  return service.call('POST', '/a2a/jsonrpc', { as, body });
};

describe('an agent that owns a run', () => {
  it.each([
    ['POST', 'answer', { question_id: '01890000-0000-7000-8000-000000000000', choice: 'retry' }],
    ['POST', 'commit', {}],
    ['PATCH', 'stories/US-003', { title: 'Less' }],
    ['DELETE', 'stories/US-003', undefined],
  ] as const)('is refused %s …/%s, which its person may do [choices-4.67]', async (method, path, body) => {
    const given = path === 'answer' ? { ...body, question_id: asking.questionId } : body;
    const { status, body: answer } = await service.call(method, `/v1/ralph/runs/${asking.runId}/${path}`, {
      as: 'agent',
      ...(given === undefined ? {} : { body: given }),
    });
    expect([status, answer.code]).toEqual([403, 'needs_person']);
    expect(answer.detail).toContain('person');
    expect((await run(asking.runId)).stories.total).toBe(3);
  });

  it('cannot answer its question by a message, over tools or A2A, though it may read the question [choices-4.67]', async () => {
    const place = { conversation_id: asking.runId, wait_seconds: 0 };
    const listed = await called(service, 'send_message', { message: 'what?', ...place }, 'agent');
    expect(listed.structuredContent?.['response']).toContain('Options: retry');
    const answer = called(service, 'send_message', { message: 'retry', ...place }, 'agent');
    await expect(answer).rejects.toThrow('needs_person');
    expect(await message('retry', { contextId: asking.runId }, 'agent')).toMatchObject({ status: 403 });
    expect((await run(asking.runId)).status).toBe('needs_input');
  });

  it('cannot answer the question of a step at its task, over REST or A2A; a person can [choices-4.67]', async () => {
    const { runId, taskId } = stepAsking;
    const input = { as: 'agent', body: { message: 'Blue.' } } as const;
    const refused = await service.call('POST', `/v1/agent/tasks/${taskId}/input`, input);
    expect([refused.status, refused.body.code]).toEqual([403, 'needs_person']);
    expect(await message('Blue.', { taskId }, 'agent')).toMatchObject({ status: 403 });
    expect((await run(runId)).questions).toHaveLength(1);
    const answered = await service.call('POST', `/v1/agent/tasks/${taskId}/input`, { ...input, as: 'operator' });
    expect(answered.status).toBe(200);
  });

  it('cannot accept ahead what its reviewer cannot verify [choices-4.67]', async () => {
    const given = { codebase_id: site.codebaseId, unverifiable: 'accept' };
    expect(await postRun(service, given, { as: 'agent' })).toMatchObject({
      status: 403,
      body: { code: 'needs_person' },
    });
    expect((await postRun(service, { ...given, unverifiable: 'fail' }, { as: 'agent' })).status).toBe(201);
    expect((await postRun(service, given)).status).toBe(201);
  });

  it('may pause, resume, guide and cancel it; its guidance is an agent’s [choices-4.67, runs-18.4]', async () => {
    const post = (path: string, body: unknown = {}): Promise<ApiReply> =>
      service.call('POST', `/v1/ralph/runs/${asking.runId}/${path}`, { as: 'agent', body });
    expect((await post('pause')).status).toBe(200);
    expect((await post('resume')).status).toBe(200);
    expect((await post('messages', { text: 'Use the old parser.' })).status).toBe(202);
    const { body } = await service.call('GET', `/v1/ralph/runs/${asking.runId}/learnings?kind=guidance`);
    expect(body.learnings).toMatchObject([{ author: 'agent', text: 'Use the old parser.' }]);
    expect((await post('cancel')).status).toBe(200);
  });
});

it('a person answers the question of a run by a message to its id, over tools and A2A [runs-6.3.3]', async () => {
  const failing = scriptStepWorker(service, site, () => ({ failed: { code: 'setup_failed', message: 'npm ci' } }));
  const runId = await newRunId(service, { codebase_id: site.codebaseId, prd: prdDocument() });
  await failing.workUntil(runId, 'needs_input');
  const answer = { message: 'retry', conversation_id: runId, wait_seconds: 0 };
  expect((await called(service, 'send_message', answer, 'editor')).structuredContent).toMatchObject({
    run_id: runId,
    status: 'running',
  });
  await failing.workUntil(runId, 'needs_input');
  const replied = await message('Retry', { contextId: runId }, 'editor');
  expect(replied.body.result.metadata).toEqual({ run_id: runId, status: 'running' });
});
