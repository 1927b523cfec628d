// Conversations: a message becomes a task, its answer is awaited, and the messages are read in order.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setActiveCodebase, getActiveCodebase } from '../../../src/domain/codebases/active.ts';
import { removeCodebase } from '../../../src/domain/codebases/manage.ts';
import { searchMessages } from '../../../src/domain/conversations/search-messages.ts';
import {
  awaitReply,
  listConversationMessages,
  sendMessage,
  type NewMessage,
} from '../../../src/domain/conversations/send-message.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { viewTask } from '../../../src/domain/tasks/read.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { agent, editor, createQueueDriver, type QueueDriver } from '../../support/queue/queue-driver.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
let driver: QueueDriver;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  driver = createQueueDriver(verbs, db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const operator = callerOf('operator');
const otherTenant = callerOf('operator', 'other');
const stays = new AbortController().signal;

const send = (text: string, fields: Partial<NewMessage> = {}, caller = editor): ReturnType<typeof sendMessage> =>
  sendMessage(verbs, caller, { text, ...fields });

async function history(conversationId: string, caller = editor): Promise<string[]> {
  const { messages } = await listConversationMessages(verbs, caller, conversationId, { limit: 200 });
  return messages.map(({ role, text }) => `${role}: ${text}`);
}

describe('a message', () => {
  it('becomes a task for global in a conversation of its own [choices-3.42, tools-4.2.2]', async () => {
    const { task, conversationId, answered } = await send('\n  look at the logs\nand tell me', {
      priority: 7,
      model: 'one:small',
    });
    expect(task).toMatchObject({
      title: 'look at the logs',
      prompt: '\n  look at the logs\nand tell me',
      codebaseId: 'global',
      conversationId,
      priority: 7,
      model: 'one:small',
      status: 'pending',
    });
    expect(answered).toBe(false);
    const again = await send('once more', { conversationId });
    expect(again.conversationId).toBe(conversationId);
    expect(again.task.id).not.toBe(task.id);
  });

  it('goes to the active codebase of its sender, on any replica, unless it names another [tools-4.2.16, tools-4.2.17]', async () => {
    const { codebaseId } = await driver.worker();
    const other = await driver.worker();
    expect(await getActiveCodebase(verbs, editor)).toBeUndefined();
    await setActiveCodebase(verbs, editor, codebaseId);
    await using replica = await openVerbs(db);
    expect((await getActiveCodebase(replica, editor))?.codebaseId).toBe(codebaseId);
    expect((await sendMessage(replica, editor, { text: 'hello' })).task.codebaseId).toBe(codebaseId);
    expect((await send('hello', { codebaseId: other.codebaseId })).task.codebaseId).toBe(other.codebaseId);
    expect((await send('hello', {}, operator)).task.codebaseId).toBe('global');
    expect(await getActiveCodebase(verbs, { ...otherTenant, subject: editor.subject })).toBeUndefined();
    const missing = { kind: 'not_found', code: 'codebase_not_found' };
    await expect(setActiveCodebase(verbs, editor, 'nowhere')).rejects.toMatchObject(missing);
    await expect(setActiveCodebase(verbs, otherTenant, codebaseId)).rejects.toMatchObject(missing);
    await setActiveCodebase(verbs, operator, other.codebaseId);
    for (const status of ['pending'] as const) {
      const open = await verbs.store.within(editor, (rows) =>
        rows.tasks.list({ codebaseId: other.codebaseId, status }, { limit: 9, before: undefined }),
      );
      for (const task of open) await cancelTask(verbs, operator, task.id);
    }
    await removeCodebase(verbs, operator, other.codebaseId);
    expect(await getActiveCodebase(verbs, operator)).toBeUndefined();
    expect((await send('hello', {}, operator)).task.codebaseId).toBe('global');
  });

  it('to an agent that never registers reports that as its waiting reason, and fails at its deadline [tools-4.2.3]', async () => {
    await driver.worker('global');
    const deadlineAt = new Date(Date.now() + 3_600_000).toISOString();
    const { task } = await send('are you there?', {
      codebaseId: 'global',
      targetAgent: 'nobody-is-called-so',
      deadlineAt,
    });
    expect(task).toMatchObject({ targetAgent: 'nobody-is-called-so', deadlineAt });
    expect((await viewTask(verbs, editor, task.id)).waitingReason).toBe('no_such_agent');
    await db.query(`update tasks set deadline_at = now() - interval '1 second' where id = $1`, [task.id]);
    await reap(verbs);
    const reply = await awaitReply(verbs, editor, task.id, { waitMs: 20_000, signal: stays });
    expect(reply).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } });
    expect(reply).not.toHaveProperty('response');
  });

  it('to an agent by name reaches the worker with that name, and no other', async () => {
    const other = await driver.worker('global', { agents: ['painter'] });
    const { task } = await send('sing', { targetAgent: 'singer', codebaseId: 'global' });
    expect(await driver.claim(other.workerId)).not.toContainEqual(
      expect.objectContaining({ task: expect.objectContaining({ id: task.id }) }),
    );
    const { workerId } = await driver.worker('global', { agents: ['singer'] });
    expect((await driver.claim(workerId, 50)).map((held) => held.task.id)).toContain(task.id);
  });

  it('answers the question of its sender’s task in the conversation; another subject’s begins a new task', async () => {
    const { codebaseId, workerId } = await driver.worker();
    const first = await send('paint it', { codebaseId });
    const held = await driver.claimOne(workerId);
    await driver.release(held, { status: 'needs_input', question: 'which colour?' });
    const awaitedReply = await awaitReply(verbs, editor, first.task.id, { waitMs: 20_000, signal: stays });
    expect(awaitedReply).toEqual({ status: 'needs_input', response: 'which colour?' });
    const { conversationId } = first;
    const stranger = await send('blue', { conversationId }, operator);
    expect(stranger).toMatchObject({ answered: false, conversationId });
    const elsewhere = await send('green', { conversationId, targetAgent: 'somebody' });
    expect(elsewhere.answered).toBe(false);
    const answer = await send('red', { conversationId });
    expect(answer).toMatchObject({ answered: true, conversationId, task: { id: first.task.id, status: 'pending' } });
    const resumed = await driver.claimOne(workerId);
    expect(resumed.messages.map(({ parts }) => parts)).toEqual([[{ text: 'which colour?' }], [{ text: 'red' }]]);
  });

  it('that is repeated with its key is accepted once: it answers neither a question of its own task nor a later one', async () => {
    const { codebaseId, workerId } = await driver.worker();
    const conversationId = randomUUID();
    const keyed = (key: string) => ({
      idempotency: { key: `${key} ${conversationId}`, operation: 'say', bodyHash: key },
    });
    const begin = () => send('paint it', { codebaseId, conversationId, ...keyed('begin') });
    const answer = () => send('red', { conversationId, ...keyed('answer') });
    const { task } = await begin();
    const awaitFirst = async () =>
      driver.release(await driver.claimOne(workerId), { status: 'needs_input', question: 'which?' });
    await awaitFirst();
    expect(await begin()).toMatchObject({
      replayed: true,
      answered: false,
      task: { id: task.id, status: 'needs_input' },
    });
    const answers = await Promise.all([answer(), answer(), answer()]);
    expect(answers.map((sent) => sent.task.id)).toEqual([task.id, task.id, task.id]);
    expect(answers.filter((sent) => sent.replayed)).toHaveLength(2);
    await awaitFirst();
    expect(await answer()).toMatchObject({ replayed: true, task: { id: task.id, status: 'needs_input' } });
    expect(await history(conversationId)).toEqual(['user: paint it', 'agent: which?', 'user: red', 'agent: which?']);
    const other = send('blue', { conversationId, idempotency: { ...keyed('answer').idempotency, bodyHash: 'other' } });
    await expect(other).rejects.toMatchObject({ kind: 'key_reused' });
  });

  it('is awaited for the requested time, and no longer than its caller stays [tools-4.2.1]', async () => {
    const { codebaseId, workerId } = await driver.worker();
    const { task } = await send('work', { codebaseId });
    expect(await awaitReply(verbs, editor, task.id, { waitMs: 0, signal: stays })).toEqual({ status: 'pending' });
    expect(await awaitReply(verbs, editor, task.id, { waitMs: 20, signal: stays })).toEqual({ status: 'pending' });
    const left = await awaitReply(verbs, editor, task.id, { waitMs: 60_000, signal: AbortSignal.abort() });
    expect(left).toEqual({ status: 'pending' });
    const reply = awaitReply(verbs, editor, task.id, { waitMs: 60_000, signal: stays });
    await driver.release(await driver.claimOne(workerId), { status: 'completed', result: 'done so' });
    expect(await reply).toEqual({ status: 'completed', response: 'done so' });
  });

  it.each([
    ['nothing', { text: ' \n ' }],
    ['too much', { text: 'x'.repeat(200_001) }],
    ['an empty conversation', { text: 'x', conversationId: '' }],
    ['a long conversation id', { text: 'x', conversationId: 'c'.repeat(201) }],
  ])('is refused with %s', async (_what, message) => {
    await expect(sendMessage(verbs, editor, message)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('the history of a conversation', () => {
  it('has prompts, agents’ texts, questions, answers and results of all its tasks, in order [tools-4.2.4]', async () => {
    const { codebaseId, workerId } = await driver.worker(undefined, { name: 'historian', agents: ['clio'] });
    const conversationId = `talk-${codebaseId}`;
    const fields = { codebaseId, conversationId };
    await send('write a song', { ...fields, targetAgent: 'clio' });
    const held = await driver.claimOne(workerId);
    await driver.report(held, [
      { type: 'output', n: 1, data: { stream: 'agent', text: 'not part of the answer' } },
      {
        type: 'message',
        n: 2,
        parts: [{ text: 'I have' }, { text: 'an idea' }],
      },
    ]);
    await driver.release(held, { status: 'needs_input', question: 'in which key?' });
    await send('C major', fields);
    await driver.release(await driver.claimOne(workerId), { status: 'completed', result: 'la la la' });
    const failing = await send('and another', fields);
    await driver.release(await driver.claimOne(workerId), {
      status: 'failed',
      error: { code: 'x', message: 'no more songs' },
    });
    const sentMessage = await send('never mind', fields);
    await cancelTask(verbs, editor, sentMessage.task.id, { reason: 'enough' });
    expect(await history(conversationId)).toEqual([
      'user: write a song',
      'agent: I have\nan idea',
      'agent: in which key?',
      'user: C major',
      'agent: la la la',
      'user: and another',
      'system: no more songs',
      'user: never mind',
      'system: enough',
    ]);
    const { messages } = await listConversationMessages(verbs, editor, conversationId, { limit: 200 });
    expect(messages.map(({ agentName }) => agentName).slice(0, 7)).toEqual([
      undefined,
      'clio',
      'clio',
      undefined,
      'clio',
      undefined,
      undefined,
    ]);
    expect(messages[1]).toMatchObject({ conversationId, at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(messages[5]).toMatchObject({ id: `${failing.task.id}.prompt`, taskId: failing.task.id });
    // The tenant's search has the same messages, newest first.
    const found = await searchMessages(verbs, editor, { conversationId }, { limit: 200 });
    expect(found.messages.toReversed().map(({ id, text }) => [id, text])).toEqual(
      messages.map(({ id, text }) => [id, text]),
    );
  });

  it('comes in pages, the newest first, each in order', async () => {
    const { conversationId } = await send('1');
    for (const text of ['2', '3', '4', '5']) await send(text, { conversationId });
    const pages: string[][] = [];
    let before: string | undefined;
    do {
      const page = await listConversationMessages(verbs, editor, conversationId, { limit: 2, before });
      pages.push(page.messages.map(({ text }) => text));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(pages.filter((page) => page.length > 0)).toEqual([['4', '5'], ['2', '3'], ['1']]);
    await expect(
      listConversationMessages(verbs, editor, conversationId, { limit: 2, before: 'x' }),
    ).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  it('of a task without a conversation is under the task’s id, as over A2A', async () => {
    const task = await driver.submit('global', { prompt: 'alone' });
    expect(await history(task.id)).toEqual(['user: alone']);
  });

  it('is invisible to another tenant, and 404 when there is none', async () => {
    const { conversationId } = await send('secret');
    const missing = { kind: 'not_found', code: 'conversation_not_found' };
    await expect(history(conversationId, otherTenant)).rejects.toMatchObject(missing);
    await expect(history('never-begun')).rejects.toMatchObject(missing);
    await send('theirs', { conversationId }, otherTenant);
    expect(await history(conversationId)).toEqual(['user: secret']);
    expect(await history(conversationId, otherTenant)).toEqual(['user: theirs']);
  });
});

describe('a search over all messages', () => {
  it('finds words in any case, literally, and continues where one call stopped', async () => {
    await send('Percent 100%_sure\\ here');
    for (const text of ['100%_SURE\\', 'percent']) {
      const { messages } = await searchMessages(verbs, editor, { text }, { limit: 5 });
      expect(messages.map((message) => message.text)).toEqual(['Percent 100%_sure\\ here']);
    }
    expect((await searchMessages(verbs, editor, { text: '100%%sure' }, { limit: 5 })).messages).toEqual([]);
    expect((await searchMessages(verbs, otherTenant, { text: 'sure' }, { limit: 5 })).messages).toEqual([]);
    const every: string[] = [];
    let before: string | undefined;
    do {
      const page = await searchMessages(verbs, agent, {}, { limit: 4, before });
      every.push(...page.messages.map(({ id }) => id));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(new Set(every).size).toBe(every.length);
    const fullResult = await searchMessages(verbs, agent, {}, { limit: 200 });
    expect(every).toEqual(fullResult.messages.map(({ id }) => id));
  });
});
