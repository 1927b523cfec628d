// The tools of PRD chats, and messages to the conversation of one. runs-6.3.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerTurn,
  assistantWorker,
  claimTurn,
  draftOps,
  newPrdSession,
  sendPrd,
} from '../../../support/runs/prd-chat.ts';
import { openRunSite } from '../../../support/runs/new-run.ts';
import { called, toolRpc, textOf, type Called } from '../../../support/mcp/client.ts';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  // The lease outlasts the file: the worker here is played by hand and sends no heartbeats, so it would go offline.
  service = await openService({ config: { leaseSeconds: 3_600 } });
  worker = await assistantWorker(service);
});
afterAll(() => service[Symbol.asyncDispose]());

async function chat(args: Record<string, unknown>, answer: Record<string, unknown>): Promise<Called> {
  const [result] = await Promise.all([called(service, 'prd_chat', args, 'editor'), answerTurn(worker, answer)]);
  return result;
}

const two = [
  { id: 'q1', text: 'Which gate?', options: ['npm test', 'none'] },
  { id: 'q2', text: 'Which order?', options: ['any', 'as listed'] },
];

describe('prd_chat', () => {
  it('begins a session, continues it, and answers the exact fields [runs-6.3.2, tools-4.2.24, tools-4.2.35]', async () => {
    const { structuredContent: first } = await chat({ message: 'A login.' }, { reply: 'Which?', questions: [two[0]] });
    expect(first).toEqual({
      reply: 'Which?',
      conversation_id: expect.any(String),
      status: 'answered',
      turn_id: '2',
      task_id: expect.any(String),
      questions: [
        {
          ...two[0],
          options: [
            { key: 'A', text: 'npm test' },
            { key: 'B', text: 'none' },
          ],
        },
      ],
      ready: false,
      warnings: [],
      source: 'agent',
    });
    const { conversation_id } = first;
    const { structuredContent: second } = await chat({ message: 'A', conversation_id }, { ops: draftOps('US-001') });
    expect(second).toMatchObject({
      conversation_id,
      turn_id: '4',
      prd: { project: 'shop' },
      prd_version: 1,
      ready: true,
    });
    // A conversation that has no session yet begins one of that id.
    const { structuredContent: named } = await chat({ message: 'x', conversation_id: 'talk-1' }, {});
    expect(named.conversation_id).toBe('talk-1');
  });

  it('is about the active codebase, unless it names one', async () => {
    const site = await openRunSite(service, 'active-site');
    await called(service, 'set_active_codebase', { codebase_id: site.codebaseId }, 'editor');
    const { structuredContent } = await chat({ message: 'About the active one.' }, {});
    const { body } = await service.call('GET', `/v1/ralph/prd/sessions/${structuredContent.conversation_id}`);
    expect(body.session.codebase_id).toBe(site.codebaseId);
    const unknown = await called(service, 'prd_chat', { message: 'x', codebase_id: 'nowhere' }, 'editor');
    expect(unknown).toMatchObject({ isError: true, _meta: { error: { code: 'codebase_not_found' } } });
  });

  it('names the task of the turn that runs [runs-13.6]', async () => {
    const id = await newPrdSession(service);
    const sent = sendPrd(service, id, 'Slowly.');
    const turn = await claimTurn(worker);
    const refused = await called(service, 'prd_chat', { message: 'Quickly.', conversation_id: id }, 'editor');
    expect(refused._meta?.['error']).toEqual({ code: 'turn_running' });
    expect(textOf(refused)).toContain(turn.task.id);
    await worker.release(turn, { status: 'completed', result: 'no' });
    await answerTurn(worker, {});
    await sent;
  });

  it('begins one session for each idempotency key', async () => {
    const headers = { 'idempotency-key': 'one-chat' };
    const params = { name: 'prd_chat', arguments: { message: 'Once.' } };
    const call = async () => (await toolRpc(service, 'tools/call', params, { as: 'editor', headers })).body.result;
    const [first] = await Promise.all([call(), answerTurn(worker, { reply: 'Only once.' })]);
    const before = await service.call('GET', '/v1/ralph/prd/sessions?limit=200');
    expect((await call()).structuredContent).toEqual(first.structuredContent);
    const after = await service.call('GET', '/v1/ralph/prd/sessions?limit=200');
    expect(after.body.sessions).toHaveLength(before.body.sessions.length);
  });
});

it('prd_list_sessions answers the exact fields, page by page [runs-6.3.2, tools-4.2.25, tools-4.2.36]', async () => {
  const site = await openRunSite(service, 'listed-site');
  const ids = [
    await newPrdSession(service, { codebase_id: site.codebaseId, title: 'one' }),
    await newPrdSession(service, { codebase_id: site.codebaseId, title: 'two' }),
  ];
  const args = { codebase_id: site.codebaseId, limit: 1 };
  const { structuredContent: page } = await called(service, 'prd_list_sessions', args);
  expect(page.sessions).toEqual([
    {
      conversation_id: ids[1],
      title: 'two',
      codebase_id: site.codebaseId,
      status: 'idle',
      messages: 0,
      prd_version: 0,
      ready: false,
      run_ids: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  const rest = await called(service, 'prd_list_sessions', { ...args, cursor: page.next_cursor });
  expect(rest.structuredContent).toMatchObject({ sessions: [{ title: 'one' }], next_cursor: null });
});

describe('send_message to the conversation of a PRD chat', () => {
  it('answers its one open question, once for each key', async () => {
    const { structuredContent: asked } = await chat({ message: 'A login.' }, { questions: [two[0]] });
    const { conversation_id } = asked;
    const params = { name: 'send_message', arguments: { message: 'a', conversation_id, wait_seconds: 50 } };
    const headers = { 'idempotency-key': 'one-answer' };
    const send = async () => (await toolRpc(service, 'tools/call', params, { as: 'editor', headers })).body.result;
    const [sent] = await Promise.all([send(), answerTurn(worker, { reply: 'Thanks.' })]);
    expect(sent.structuredContent).toMatchObject({ conversation_id, status: 'completed', response: 'Thanks.' });
    expect((await send()).structuredContent).toEqual(sent.structuredContent);
    // Without an open question the message is an ordinary one.
    const plain = await called(service, 'send_message', { message: 'hi', conversation_id, wait_seconds: 0 }, 'editor');
    expect(plain.structuredContent).toMatchObject({ conversation_id, status: 'pending' });
    await service.call('POST', `/v1/agent/tasks/${plain.structuredContent.task_id}/cancel`);
  });

  it('lists several questions, and changes nothing', async () => {
    const { structuredContent: asked } = await chat({ message: 'A login.' }, { questions: two });
    const { conversation_id } = asked;
    const { structuredContent } = await called(service, 'send_message', { message: 'A', conversation_id }, 'editor');
    expect(structuredContent.response).toContain('Which gate?\n  Options: A) npm test, B) none');
    expect(structuredContent.response).toContain('Which order?');
    const { body } = await service.call('GET', `/v1/ralph/prd/sessions/${conversation_id}`);
    expect(body.session).toMatchObject({ messages: 1, status: 'idle' });
  });

  it.each([
    ['0.3', '/a2a/rest/message:send', { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'A' }] }],
    ['1.0', '/a2a/rest/message:send', { role: 'ROLE_USER', parts: [{ text: 'A' }] }],
  ])('is answered by a message over the REST of A2A %s', async (version, path, given) => {
    const { structuredContent: asked } = await chat({ message: 'A login.' }, { questions: [two[0]] });
    const contextId = asked.conversation_id;
    const body = { message: { ...given, messageId: `m-${version}`, contextId } };
    const reply = await service.call('POST', path, { as: 'editor', body, headers: { 'a2a-version': version } });
    const turn = await answerTurn(worker, { reply: 'Thanks.' });
    expect([version, reply.status]).toEqual([version, 200]);
    expect(JSON.stringify(reply.body)).toContain(turn.task.id);
  });

  it('works over A2A as well', async () => {
    const { structuredContent: asked } = await chat({ message: 'A login.' }, { questions: [two[0]] });
    const contextId = asked.conversation_id;
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'A' }], contextId };
    const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    const headers = { 'a2a-version': '1.0' };
    const reply = await service.call('POST', '/a2a/jsonrpc', { as: 'editor', body, headers });
    const turn = await answerTurn(worker, { reply: 'Thanks.' });
    expect(reply.body.result.message).toMatchObject({ contextId, referenceTaskIds: [turn.task.id] });
  });
});
