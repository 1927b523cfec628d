// PRD chats over REST: sessions, messages that a task answers, versions, and runs that start from them. runs-13.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStream } from '../../../support/client/sse.ts';
import { openRunSite, prdDocument, type RunSite } from '../../../support/runs/new-run.ts';
import {
  answerText,
  answerTurn,
  assistantWorker,
  chatStory,
  claimTurn,
  draftOps,
  newPrdSession,
  sendPrd,
  sessionsPath,
} from '../../../support/runs/prd-chat.ts';
import { openService, type ApiReply, type ManualWorker, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
let worker: ManualWorker;
let site: RunSite;
beforeAll(async () => {
  // The lease outlasts the file: the worker here is played by hand and sends no heartbeats, so it would go offline.
  service = await openService({ config: { leaseSeconds: 3_600 } });
  worker = await assistantWorker(service);
  site = await openRunSite(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const read = async (path: string): Promise<ApiReply['body']> => {
  const reply = await service.call('GET', `${sessionsPath}/${path}`, { as: 'viewer' });
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.body;
};

/** Sends a message and answers it. */
async function exchange(id: string, message: string, answer: Record<string, unknown>): Promise<ApiReply> {
  const [reply] = await Promise.all([sendPrd(service, id, message), answerTurn(worker, answer)]);
  return reply;
}

async function draftedSession(...stories: string[]): Promise<string> {
  const id = await newPrdSession(service, { codebase_id: site.codebaseId });
  const { status, body } = await exchange(id, 'Write a draft.', { ops: draftOps(...stories) });
  expect([status, body.version]).toEqual([200, 1]);
  return id;
}

describe('a session', () => {
  it('has the exact fields, and is listed newest first [runs-13.4]', async () => {
    const made = await service.call('POST', sessionsPath, { as: 'editor', body: { title: 'Login' } });
    expect(made.status).toBe(201);
    const { session } = made.body;
    expect(session).toEqual({
      id: expect.any(String),
      conversation_id: session.id,
      codebase_id: null,
      title: 'Login',
      status: 'idle',
      version: 0,
      ready: false,
      run_ids: [],
      messages: 0,
      created_by: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const later = await newPrdSession(service, { codebase_id: site.codebaseId });
    const { body } = await service.call('GET', `${sessionsPath}?limit=1`);
    expect(body.sessions.map(({ id }: { id: string }) => id)).toEqual([later]);
    const next = await service.call('GET', `${sessionsPath}?limit=1&cursor=${body.next_cursor}`);
    expect(next.body.sessions).toEqual([session]);
    const of = await service.call('GET', `${sessionsPath}?codebase_id=${site.codebaseId}`);
    expect(of.body.sessions.map(({ id }: { id: string }) => id)).toContain(later);
    expect(of.body.sessions.map(({ id }: { id: string }) => id)).not.toContain(session.id);
    expect((await service.call('GET', `${sessionsPath}?colour=red`)).status).toBe(400);
  });

  it('begins with a document that is given or imported [runs-13.4]', async () => {
    const given = await newPrdSession(service, { prd: prdDocument() });
    expect(await read(given)).toMatchObject({ session: { version: 1, title: 'shop' } });
    expect(await read(`${given}/versions/1`)).toMatchObject({ version: { author: 'user', prd: prdDocument() } });
    const files = [{ name: 'prd.json', content: JSON.stringify(prdDocument()) }];
    const imported = await newPrdSession(service, { import: { format: 'ralph', files } });
    expect(await read(`${imported}/versions/1`)).toMatchObject({ version: { author: 'import' } });
    for (const body of [
      { prd: { project: 'x' } },
      { prd: prdDocument(), import: { files } },
      { codebase_id: site.codebaseId, colour: 'red' },
    ]) {
      expect((await service.call('POST', sessionsPath, { as: 'editor', body })).status).toBe(400);
    }
    const nowhere = await service.call('POST', sessionsPath, { as: 'editor', body: { codebase_id: given } });
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'codebase_not_found']);
  });
});

describe('a message', () => {
  it('is answered by a task that reads the codebase [runs-13.5]', async () => {
    const id = await newPrdSession(service, { codebase_id: site.codebaseId });
    const questions = [{ id: 'q1', text: 'Which gate?', options: ['npm test', 'none'] }];
    const sent = sendPrd(service, id, 'We need a login.');
    const turn = await claimTurn(worker);
    expect(turn.task).toMatchObject({
      agent_type: 'plan',
      target_agent: 'model',
      conversation_id: id,
      required_capabilities: ['switchyard:prd-1'],
    });
    expect(turn.task.prompt).toContain('We need a login.');
    expect(await read(id)).toMatchObject({ session: { status: 'answering', messages: 1 } });
    await worker.release(turn, { status: 'completed', result: answerText({ reply: 'Tell me more.', questions }) });
    const { status, body } = await sent;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      turn: { n: 2, role: 'assistant', text: 'Tell me more.', status: 'answered', source: 'agent', version: null },
      prd: null,
      version: 0,
      ready: false,
      warnings: [],
    });
    expect(body.turn.questions).toEqual([
      {
        ...questions[0],
        options: [
          { key: 'A', text: 'npm test' },
          { key: 'B', text: 'none' },
        ],
      },
    ]);
    const { turns } = await read(`${id}/turns`);
    expect(turns.map(({ role, text }: { role: string; text: string }) => [role, text])).toEqual([
      ['user', 'We need a login.'],
      ['assistant', 'Tell me more.'],
    ]);
    // The next prompt has what was said, with the options by their keys.
    const next = sendPrd(service, id, 'A');
    const second = await answerTurn(worker, { ops: draftOps('US-001') });
    expect(second.task.prompt).toContain('asked: Which gate? A) npm test B) none');
    expect((await next).body).toMatchObject({ version: 1, ready: true, prd: { project: 'shop' } });
  });

  it('edits one story, and the others keep every byte [runs-13.7]', async () => {
    const id = await draftedSession('US-001', 'US-002', 'US-003');
    const before = await service.call('GET', `${sessionsPath}/${id}/versions/1`);
    const story = chatStory('US-002', { title: 'Changed' });
    const { body } = await exchange(id, 'Rename the second.', { ops: [{ op: 'upsert_story', story }] });
    expect(body.version).toBe(2);
    const stories: unknown[] = before.body.version.prd.userStories;
    expect(JSON.stringify(body.prd.userStories)).toBe(JSON.stringify(stories.with(1, story)));
    expect(await read(`${id}/versions`)).toMatchObject({
      versions: [
        { version: 2, author: 'assistant', turn: 4, ops: [{ op: 'upsert_story' }] },
        { version: 1, turn: 2 },
      ],
    });
  });

  it('is not repaired for a sender that may create no more tasks by then [choices-4.66]', async () => {
    const put = (role: string): Promise<ApiReply> =>
      service.call('PUT', '/v1/auth/users/cy', { as: 'admin', body: { roles: [role] } });
    await put('editor');
    const made = await service.call('POST', '/v1/auth/api-keys', { as: 'admin', body: { name: 'cy', user_id: 'cy' } });
    const token: string = made.body.key;
    const session = await service.call('POST', sessionsPath, { token, body: {} });
    const reply = sendPrd(service, session.body.session.id, 'Remove it.', { token });
    const turn = await claimTurn(worker);
    await put('viewer');
    const wrong = answerText({ reply: 'I remove it.', ops: [{ op: 'remove_story', id: 'US-009' }] });
    await worker.release(turn, { status: 'completed', result: wrong });
    const { body } = await reply;
    expect(body.turn).toMatchObject({ status: 'answered', text: 'I remove it.' });
    expect(body.warnings).toEqual([
      expect.stringMatching(/^owner_disabled: /),
      expect.stringMatching(/^draft_rejected: /),
    ]);
  });

  it('whose operations are invalid is repaired once, then its draft is rejected [runs-13.8]', async () => {
    const id = await draftedSession('US-001');
    const wrong = { reply: 'I remove it.', ops: [{ op: 'remove_story', id: 'US-009' }] };
    const repaired = sendPrd(service, id, 'Remove it.');
    const first = await answerTurn(worker, wrong);
    const repair = await answerTurn(worker, {
      reply: 'Added.',
      ops: [{ op: 'upsert_story', story: chatStory('US-002') }],
    });
    expect(repair.task.id).not.toBe(first.task.id);
    expect(repair.task.prompt).toContain('US-009');
    expect((await repaired).body).toMatchObject({ turn: { text: 'Added.' }, version: 2, warnings: [] });
    const rejected = sendPrd(service, id, 'Remove it.');
    await answerTurn(worker, wrong);
    await answerTurn(worker, 'I cannot write JSON.');
    const { status, body } = await rejected;
    expect(status).toBe(200);
    expect(body).toMatchObject({ turn: { text: 'I cannot write JSON.', status: 'answered' }, prd: null, version: 2 });
    expect(body.warnings[0]).toMatch(/^draft_rejected: /);
    const invalid = sendPrd(service, id, 'Break it.');
    const broken = { ops: [{ op: 'upsert_story', story: { id: 'US-001', title: 'no more' } }] };
    await answerTurn(worker, broken);
    expect((await answerTurn(worker, broken)).task.prompt).toContain('acceptanceCriteria');
    expect((await invalid).body).toMatchObject({ version: 2, turn: { version: null } });
  });

  it('whose model fails is answered with the reason, and the next one is taken', async () => {
    const id = await newPrdSession(service);
    const sent = sendPrd(service, id, 'Hello.');
    const turn = await claimTurn(worker);
    const error = { code: 'model_refused', message: 'the endpoint answers 401' };
    await worker.release(turn, { status: 'failed', error });
    const { status, body } = await sent;
    expect([status, body.turn.status]).toEqual([200, 'failed']);
    expect(body.warnings).toEqual(['model_refused: the endpoint answers 401']);
    expect(await read(id)).toMatchObject({ session: { status: 'failed' } });
    expect((await exchange(id, 'Again.', { reply: 'Here.' })).body.turn).toMatchObject({ text: 'Here.' });
    expect(await read(id)).toMatchObject({ session: { status: 'idle' } });
  });

  it('whose task is cancelled has failed; whose task asks has the question as its answer', async () => {
    const id = await newPrdSession(service);
    const cancelled = sendPrd(service, id, 'Hello.');
    const { task } = await claimTurn(worker);
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { as: 'editor' });
    expect((await cancelled).body).toMatchObject({ turn: { status: 'failed' } });
    const asking = sendPrd(service, id, 'Hello again.');
    const turn = await claimTurn(worker);
    await worker.release(turn, { status: 'needs_input', message: { text: 'Which shop?' } });
    expect((await asking).body).toMatchObject({ turn: { status: 'answered', text: 'Which shop?' } });
    expect((await service.call('GET', `/v1/agent/tasks/${turn.task.id}`)).body.task.status).toBe('cancelled');
  });

  it('is 409 while a turn runs, as is every change of the document [runs-13.6]', async () => {
    const id = await draftedSession('US-001');
    const sent = sendPrd(service, id, 'Slowly.');
    const turn = await claimTurn(worker);
    const change = { as: 'editor', body: { prd: prdDocument(), base_version: 1 } } as const;
    for (const refused of [
      await sendPrd(service, id, 'Quickly.'),
      await service.call('PUT', `${sessionsPath}/${id}/prd`, change),
      await service.call('POST', `${sessionsPath}/${id}/versions/1/restore`, { as: 'editor' }),
    ]) {
      expect([refused.status, refused.body.code, refused.body.task_id]).toEqual([409, 'turn_running', turn.task.id]);
    }
    await worker.release(turn, { status: 'completed', result: answerText({}) });
    expect((await sent).status).toBe(200);
  });

  it('with a hostile answer is answered all the same', async () => {
    const id = await newPrdSession(service);
    const nul =
      '{"reply": "a\\u0000b", "questions": [], "ops": [{"op": "set", "field": "project", "value": "\\ud83d"}]}';
    const sent = sendPrd(service, id, 'Be hostile.');
    await answerTurn(worker, nul);
    await answerTurn(worker, nul);
    const { status, body } = await sent;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      turn: { text: 'ab' },
      version: 0,
      warnings: [expect.stringMatching(/^draft_rejected/)],
    });
    const planted = '{"reply": "r", "ops": [{"op": "upsert_story", "story": {"id": "US-001", "__proto__": {"x": 1}}}]}';
    const second = sendPrd(service, id, 'Again.');
    await answerTurn(worker, planted);
    await answerTurn(worker, planted);
    expect((await second).body.warnings[0]).toContain('__proto__');
    // A long attachment is cut between two halves of a character.
    const attachments = [{ name: 'a', text: `${'x'.repeat(59_999)}\u{1F600}` }];
    const third = sendPrd(service, id, '', { body: { message: 'Read it.', attachments } });
    await answerTurn(worker, {});
    expect((await third).status).toBe(200);
  });

  it('that races with others is the only one that is taken [runs-13.6]', async () => {
    const id = await newPrdSession(service);
    const refused: ApiReply[] = [];
    const racing = ['a', 'b', 'c', 'd'].map(async (text) => {
      const reply = await sendPrd(service, id, text);
      if (reply.status === 409) refused.push(reply);
      return reply.status;
    });
    // The answer comes after the others: a message that arrives later would be taken too.
    await until('the others to be refused', () => refused.length === 3);
    await answerTurn(worker, {});
    expect((await Promise.all(racing)).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  });

  it('that nobody answers in time has failed', async () => {
    const id = await newPrdSession(service);
    const sent = sendPrd(service, id, 'Is anybody there?');
    const turn = await claimTurn(worker);
    expect(Date.parse(turn.task.deadline_at ?? '')).toBeGreaterThan(Date.now());
    await service.db.query('update tasks set deadline_at = now() where id = $1', [turn.task.id]);
    expect((await sent).body).toMatchObject({
      turn: { status: 'failed' },
      warnings: [expect.stringMatching(/^deadline_exceeded/)],
    });
  });

  it('is sent once for each idempotency key, also while its answer is under way', async () => {
    const id = await newPrdSession(service);
    const headers = { 'idempotency-key': 'one-message' };
    const both = [sendPrd(service, id, 'Once.', { headers }), sendPrd(service, id, 'Once.', { headers })];
    await answerTurn(worker, { reply: 'Only once.' });
    const replies = await Promise.all(both);
    expect(replies.map(({ status, body }) => [status, body.turn.n, body.turn.text])).toEqual([
      [200, 2, 'Only once.'],
      [200, 2, 'Only once.'],
    ]);
    expect(replies.filter((reply) => reply.headers.get('idempotency-replayed') === 'true')).toHaveLength(1);
    const other = await sendPrd(service, id, 'Other.', { headers });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await read(id)).toMatchObject({ session: { messages: 1 } });
  });
});

describe('the events of a session', () => {
  it('show what the agent says, and resume where they were cut [runs-13.5]', async () => {
    const id = await newPrdSession(service);
    const sent = sendPrd(service, id, 'Write.');
    const turn = await claimTurn(worker);
    const say = (n: number, text: string): Promise<unknown> =>
      worker.report(turn, [{ type: 'output', n, stream: 'agent', text }]);
    await say(1, 'one');
    await using cut = await openStream(service, `${sessionsPath}/${id}/events`, { as: 'viewer' });
    const begun = await cut.take('turn');
    expect(begun).toMatchObject({ id: '2.0', data: { n: 2, task_id: turn.task.id, source: 'agent' } });
    const seen = await cut.take('delta');
    expect(seen.data).toEqual({ text: 'one' });
    await cut.close();
    await say(2, 'two');
    const result = answerText({ reply: 'Done.', ops: draftOps('US-001') });
    await worker.release(turn, { status: 'completed', result });
    await sent;
    // Resumed after the turn has ended: nothing twice, nothing lost.
    const lastEventId = seen.id;
    await using resumed = await openStream(service, `${sessionsPath}/${id}/events`, { as: 'viewer', lastEventId });
    await resumed.ended;
    expect(resumed.frames.map(({ event }) => event)).toEqual(['delta', 'prd', 'done']);
    expect(resumed.frames[0]?.data).toEqual({ text: 'two' });
    expect(resumed.frames[1]?.data).toMatchObject({ version: 1, changes: expect.arrayContaining(['wrote US-001']) });
    expect(resumed.frames[2]?.data).toMatchObject({ reply: 'Done.', warnings: [] });
    // From its last event on there is nothing; from the start there is everything, in order.
    const last = resumed.frames[2]?.id;
    await using over = await openStream(service, `${sessionsPath}/${id}/events?after=${last}`);
    await over.ended;
    expect(over.frames).toEqual([]);
    await using all = await openStream(service, `${sessionsPath}/${id}/events`);
    await all.ended;
    expect(all.frames.map(({ event }) => event)).toEqual(['turn', 'delta', 'delta', 'prd', 'done']);
  });

  it('are the answer to a message that accepts a stream, a repair and a failure with it [runs-13.5]', async () => {
    const id = await newPrdSession(service);
    const headers = { accept: 'text/event-stream' };
    const sent = sendPrd(service, id, 'Write.', { headers });
    await answerTurn(worker, 'no JSON');
    await answerTurn(worker, { reply: 'Now.', questions: [{ id: 'q', text: 'Which?', options: ['a', 'b'] }] });
    const { status, body } = await sent;
    expect(status).toBe(200);
    expect(eventsOf(body)).toEqual(['turn', 'questions', 'done']);
    const failing = sendPrd(service, id, 'Write.', { headers });
    const error = { code: 'model_refused', message: 'no' };
    await worker.release(await claimTurn(worker), { status: 'failed', error });
    expect(eventsOf((await failing).body)).toEqual(['turn', 'failed']);
  });
});

function eventsOf(stream: string): string[] {
  return [...stream.matchAll(/^event: (.*)$/gm)].map(([, event = '']) => event);
}

describe('the versions of a document', () => {
  it('are put on the version that was edited, in either spelling, and restored [runs-13.4]', async () => {
    const id = await draftedSession('US-001');
    const put = (body: unknown): Promise<ApiReply> =>
      service.call('PUT', `${sessionsPath}/${id}/prd`, { as: 'editor', body });
    const { project, description } = prdDocument();
    const story = {
      id: 'US-001',
      title: 'Log in',
      description: 'As a user.',
      acceptance_criteria: ['`npm test` passes'],
    };
    const stored = await put({
      prd: { project, branch_name: 'x', description, user_stories: [story] },
      base_version: 1,
    });
    expect(stored.status).toBe(200);
    expect(stored.body.version).toMatchObject({
      version: 2,
      author: 'user',
      turn: null,
      prd: { branchName: 'x', userStories: [{ acceptanceCriteria: ['`npm test` passes'] }] },
    });
    const late = await put({ prd: prdDocument(), base_version: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'version_conflict']);
    const wrong = await put({ prd: { project: 'x', colour: 'red' }, base_version: 2 });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_prd']);
    const restored = await service.call('POST', `${sessionsPath}/${id}/versions/1/restore`, { as: 'editor' });
    const { body: first } = await service.call('GET', `${sessionsPath}/${id}/versions/1`);
    expect(restored.body.version.version).toBe(3);
    expect(JSON.stringify(restored.body.version.prd)).toBe(JSON.stringify(first.version.prd));
    // A person's story in snake case is edited by the assistant as any other.
    const { body } = await exchange(id, 'Drop it.', {
      ops: [{ op: 'upsert_story', story: { ...story, id: 'US-002' } }],
    });
    expect(body.prd.userStories[1]).toEqual({ ...chatStory('US-002'), title: 'Log in', description: 'As a user.' });
    expect((await service.call('GET', `${sessionsPath}/${id}/versions/99`)).status).toBe(404);
  });

  it('begin a run, unless the lint finds errors [runs-13.10]', async () => {
    const id = await draftedSession('US-001', 'US-002');
    const start = (body: unknown = {}): Promise<ApiReply> =>
      service.call('POST', `${sessionsPath}/${id}/runs`, { as: 'editor', body });
    const { status, body } = await start({ max_iterations: 2 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ max_iterations: 2, run: { prd_session_id: id, codebase_id: site.codebaseId } });
    expect(await read(id)).toMatchObject({ session: { run_ids: [body.run_id] } });
    const cyclic = draftOps('US-001').concat(
      {
        op: 'upsert_story',
        story: chatStory('US-001', { dependsOn: ['US-002'] }),
      },
      { op: 'upsert_story', story: chatStory('US-002', { dependsOn: ['US-001'] }) },
    );
    const drafted = await exchange(id, 'Make a circle.', { ops: cyclic });
    expect(drafted.body).toMatchObject({ version: 2, ready: false });
    const refused = await start();
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_prd']);
    expect((await start({ version: 1 })).status).toBe(201);
    const empty = await newPrdSession(service, { codebase_id: site.codebaseId });
    expect((await service.call('POST', `${sessionsPath}/${empty}/runs`, { as: 'editor', body: {} })).status).toBe(404);
  });
});

describe('deletion', () => {
  it('ends the answer under way, and leaves runs', async () => {
    const id = await draftedSession('US-001');
    const run = await service.call('POST', `${sessionsPath}/${id}/runs`, { as: 'editor', body: {} });
    const sent = sendPrd(service, id, 'Go on.');
    const turn = await claimTurn(worker);
    const gone = await service.call('DELETE', `${sessionsPath}/${id}`, { as: 'admin' });
    expect(gone.status).toBe(204);
    expect((await sent).status).toBe(404);
    expect((await service.call('GET', `/v1/agent/tasks/${turn.task.id}`)).body.task.status).toBe('cancelled');
    expect((await service.call('GET', `${sessionsPath}/${id}`)).status).toBe(404);
    expect((await service.call('GET', `/v1/ralph/runs/${run.body.run_id}`)).status).toBe(200);
  });
});
