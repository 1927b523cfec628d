// PRD chats without an assistant, with a slow one, and by callers who may not: the interviewer, 202, roles, tenants. runs-13.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRunSite, prdDocument } from '../../../support/runs/new-run.ts';
import { testRunConfig } from '../../../support/builders/run-records.ts';
import {
  answerText,
  answerTurn,
  assistantWorker,
  claimTurn,
  draftOps,
  newPrdSession,
  sendPrd,
  sessionsPath,
} from '../../../support/runs/prd-chat.ts';
import { openService, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';
import { taskIn } from '../../../support/worker/local-worker.ts';

describe('without any assistant', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('the interviewer asks, and builds stories from the answers [runs-13.9]', async () => {
    // A worker whose only agent runs commands is no assistant.
    await service.worker({ name: 'commands', capabilities: ['switchyard:prd-1', 'plan'], agents: ['command'] });
    const id = await newPrdSession(service);
    const first = await sendPrd(service, id, 'A login page. For editors.');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      turn: { n: 2, status: 'answered', source: 'interview', task_id: null },
      prd: null,
      warnings: ['no_model: set MODEL_PROVIDER_ENDPOINT or start a worker with an agent'],
    });
    expect(first.body.turn.questions).toHaveLength(1);
    const second = await sendPrd(service, id, '- a form\n- a session');
    expect(second.body.prd.userStories).toMatchObject([{ title: 'a form' }, { title: 'a session' }]);
    const answers = ['`npm test`', 'nothing', 'A'];
    let last = second;
    for (const answer of answers) last = await sendPrd(service, id, answer);
    expect(last.body).toMatchObject({
      ready: true,
      turn: { questions: [] },
      prd: { gates: [{ command: 'npm test' }] },
    });
    // What a person has changed stays.
    const body = { prd: prdDocument(), base_version: last.body.version };
    expect((await service.call('PUT', `${sessionsPath}/${id}/prd`, { as: 'editor', body })).status).toBe(200);
    const after = await sendPrd(service, id, '- one more');
    expect(after.body).toMatchObject({ prd: null, version: body.base_version + 1 });
  });

  it('a worker of the session is asked as soon as there is one', async () => {
    const id = await newPrdSession(service);
    await sendPrd(service, id, 'Alone.');
    const worker = await assistantWorker(service);
    const [reply] = await Promise.all([sendPrd(service, id, 'Together.'), answerTurn(worker, { reply: 'Yes.' })]);
    expect(reply.body.turn).toMatchObject({ source: 'agent', text: 'Yes.' });
  });
});

describe('an answer that takes longer than the wait', () => {
  it('is 202 with the turn, which goes on [runs-13.5]', async () => {
    await using service = await openService({ prdAnswerWaitMs: 50 });
    const worker = await assistantWorker(service);
    const id = await newPrdSession(service);
    const { status, body } = await sendPrd(service, id, 'Slowly.');
    expect(status).toBe(202);
    expect(body).toMatchObject({ turn: { n: 2, status: 'answering', text: '' }, prd: null, version: 0 });
    const turn = await claimTurn(worker);
    expect(turn.task.id).toBe(body.turn.task_id);
    await worker.release(turn, { status: 'completed', result: answerText({ reply: 'At last.' }) });
    await taskIn(service, turn.task.id, 'completed');
    // Reading the events applies the answer at the latest.
    await service.call('GET', `${sessionsPath}/${id}/events`);
    const { body: listed } = await service.call('GET', `${sessionsPath}/${id}/turns`);
    expect(listed.turns[1]).toMatchObject({ status: 'answered', text: 'At last.' });
  });
});

describe('where runs are turned off', () => {
  it('nothing new starts, and reading goes on [runs-6.1.13]', async () => {
    await using service = await openService({ config: { runs: { ...testRunConfig, enabled: false } } });
    const refused = await service.call('POST', sessionsPath, { as: 'editor', body: {} });
    expect([refused.status, refused.body.code]).toEqual([409, 'ralph_disabled']);
    const sent = await sendPrd(service, 'any', 'Hello.');
    expect([sent.status, sent.body.code]).toEqual([409, 'ralph_disabled']);
    expect((await service.call('GET', sessionsPath)).body.sessions).toEqual([]);
    expect(service.instance.mcp.tools.map(({ tool }) => tool.toolset)).not.toContain('prd');
  });
});

describe('callers', () => {
  let service: TestService;
  let id: string;
  const call = (as: TestUser, method: string, path: string, body?: unknown): Promise<ApiReply> =>
    service.call(method, `${sessionsPath}/${path}`, { as, ...(body === undefined ? {} : { body }) });
  const changes = (): [string, string, unknown?][] => [
    ['POST', `${id}/messages`, { message: 'Hello.' }],
    ['PUT', `${id}/prd`, { prd: prdDocument(), base_version: 1 }],
    ['POST', `${id}/versions/1/restore`],
  ];
  const reads = (): string[] => [id, `${id}/turns`, `${id}/versions`, `${id}/versions/1`, `${id}/events`];
  beforeAll(async () => {
    service = await openService();
    const site = await openRunSite(service);
    id = await newPrdSession(service, { prd: prdDocument(), codebase_id: site.codebaseId });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('who view read and change nothing; who edit change their own; operators change all', async () => {
    for (const path of reads()) expect([path, (await call('viewer', 'GET', path)).status]).toEqual([path, 200]);
    for (const [method, path, body] of changes()) {
      for (const as of ['viewer', 'editor2'] as const)
        expect([as, path, (await call(as, method, path, body)).status]).toEqual([as, path, 403]);
    }
    // Ownership is checked before the document.
    const broken = { prd: { project: 'x' }, base_version: 1 };
    expect((await call('editor2', 'PUT', `${id}/prd`, broken)).status).toBe(403);
    expect((await call('editor', 'DELETE', id)).status).toBe(403);
    expect((await call('operator', 'POST', `${id}/messages`, { message: 'Hello.' })).status).toBe(200);
    expect((await service.call('POST', sessionsPath, { as: 'viewer', body: {} })).status).toBe(403);
    // A run from another's session is the caller's own.
    expect((await call('editor2', 'POST', `${id}/runs`, {})).status).toBe(201);
  });

  it('of another tenant find nothing, and never learn of it', async () => {
    for (const path of reads()) expect([path, (await call('other', 'GET', path)).status]).toEqual([path, 404]);
    for (const [method, path, body] of [...changes(), ['POST', `${id}/runs`, {}] as const])
      expect([path, (await call('other', method, path, body)).status]).toEqual([path, 404]);
    expect((await call('otheradmin', 'DELETE', id)).status).toBe(404);
    expect((await service.call('GET', sessionsPath, { as: 'other' })).body.sessions).toEqual([]);
    // An assistant of another tenant is nobody's here.
    await assistantWorker(service, 'other');
    const reply = await sendPrd(service, id, 'Hello.');
    expect(reply.body.turn.source).toBe('interview');
  });

  it('give hostile ids and bodies, and get no 5xx', async () => {
    const hostile = ['%00', '..%2f..', 'x'.repeat(300), encodeURIComponent("' or 1=1 --"), '%F0%9F%92%A9'];
    for (const path of hostile) expect((await call('editor', 'GET', path)).status).toBeLessThan(500);
    for (const [message, status] of [
      ['', 400],
      ['x\u0000y', 400],
      [7, 400],
    ] as const)
      expect([message, (await call('editor', 'POST', `${id}/messages`, { message })).status]).toEqual([
        message,
        status,
      ]);
    for (const op of draftOps()) expect((await call('editor', 'PUT', `${id}/prd`, op)).status).toBe(400);
  });
});
