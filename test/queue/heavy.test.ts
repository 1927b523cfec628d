// Messages with large files: what one task may hold, and what one claim hands out, both within what one answer can carry.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerTask, messageTask } from '../../src/domain/tasks/exchange/answer.ts';
import { intervene } from '../../src/domain/tasks/exchange/intervene.ts';
import { getExchange } from '../../src/domain/tasks/read.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { openVerbs, type Verbs } from '../support/verbs.ts';
import { editor, handsOn, type Hands } from './hands.ts';

let db: TestDatabase;
let verbs: Verbs;
let hands: Hands;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  hands = handsOn(verbs, db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

/** Compresses to next to nothing where it is stored: what counts is what an answer carries. */
const parts = [{ file: { name: 'f', bytes: Buffer.alloc(9 * 1024 * 1024).toString('base64') } }];
const born = (id: string) => ({ message: { messageId: id, parts, metadata: {} } });
const tell = (taskId: string) => messageTask(verbs, editor, taskId, { parts, text: 'a file' });

it('a task takes no more messages than 32 MiB in all, and can still be claimed, asked and answered in a few words', async () => {
  const { workerId, codebaseId } = await hands.worker();
  const { id } = await hands.submit(codebaseId, born('first'));
  await tell(id);
  const full = { kind: 'conflict', code: 'exchange_full' };
  await expect(tell(id)).rejects.toMatchObject(full);
  const { messages } = await getExchange(verbs, editor, id);
  expect(messages).toHaveLength(2);
  const held = await hands.claimOne(workerId);
  expect(held.messages.map((message) => message.parts)).toEqual([parts, parts]);
  await hands.release(held, { status: 'needs_input', question: 'which?' });
  await expect(tell(id)).rejects.toMatchObject(full);
  const heavy = 'x'.repeat(9 * 1024 * 1024);
  await expect(answerTask(verbs, editor, id, heavy)).rejects.toMatchObject(full);
  const said = { action: 'message', message: heavy, taskId: id, agentId: undefined } as const;
  await expect(intervene(verbs, editor, said)).rejects.toMatchObject(full);
  expect((await answerTask(verbs, editor, id, 'this')).status).toBe('pending');
});

it('a claim of many tasks hands out as many as fit into one answer, one at least, and the next goes on', async () => {
  const { workerId, codebaseId } = await hands.worker();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push((await hands.submit(codebaseId, born(name))).id);
  await tell(ids[0] ?? '');
  ids.push((await hands.submit(codebaseId)).id);
  const claims: string[][] = [];
  for (let i = 0; i < 2; i += 1) claims.push((await hands.claim(workerId, 10)).map(({ task }) => task.id));
  expect(claims).toEqual([ids.slice(0, 1), ids.slice(1)]);
});
