// Messages with large files: the limits per task and per claim keep every answer small enough.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerTask, messageTask } from '../../../../src/domain/tasks/exchange/answer.ts';
import { intervene } from '../../../../src/domain/tasks/exchange/intervene.ts';
import { getTaskWithMessages } from '../../../../src/domain/tasks/read.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';
import { editor, createQueueDriver, type QueueDriver } from '../../../support/queue/queue-driver.ts';

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

/** Compresses well when stored; the limit counts the uncompressed bytes of an answer. */
const parts = [{ file: { name: 'f', bytes: Buffer.alloc(9 * 1024 * 1024).toString('base64') } }];
const born = (id: string) => ({ message: { messageId: id, parts, metadata: {} } });
const sendMessage = (taskId: string) => messageTask(verbs, editor, taskId, { parts, text: 'a file' });

it('a task accepts at most 32 MiB of messages, and can still be claimed, ask and be answered in a few words', async () => {
  const { workerId, codebaseId } = await driver.worker();
  const { id } = await driver.submit(codebaseId, born('first'));
  await sendMessage(id);
  const full = { kind: 'conflict', code: 'exchange_full' };
  await expect(sendMessage(id)).rejects.toMatchObject(full);
  const { messages } = await getTaskWithMessages(verbs, editor, id);
  expect(messages).toHaveLength(2);
  const held = await driver.claimOne(workerId);
  expect(held.messages.map((message) => message.parts)).toEqual([parts, parts]);
  await driver.release(held, { status: 'needs_input', question: 'which?' });
  await expect(sendMessage(id)).rejects.toMatchObject(full);
  const heavy = 'x'.repeat(9 * 1024 * 1024);
  await expect(answerTask(verbs, editor, id, { message: heavy })).rejects.toMatchObject(full);
  const request = { action: 'message', message: heavy, taskId: id, agentId: undefined } as const;
  await expect(intervene(verbs, editor, request)).rejects.toMatchObject(full);
  expect((await answerTask(verbs, editor, id, { message: 'this' })).status).toBe('pending');
});

it('a claim of many tasks returns as many as fit into one answer, at least one; the next claim continues', async () => {
  const { workerId, codebaseId } = await driver.worker();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push((await driver.submit(codebaseId, born(name))).id);
  await sendMessage(ids[0] ?? '');
  ids.push((await driver.submit(codebaseId)).id);
  const claims: string[][] = [];
  for (let i = 0; i < 2; i += 1) claims.push((await driver.claim(workerId, 10)).map(({ task }) => task.id));
  expect(claims).toEqual([ids.slice(0, 1), ids.slice(1)]);
});
