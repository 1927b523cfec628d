// The columns of a task: the table in code and the one in the database agree, and each field survives a round trip.
import { buildStepDescriptor } from '../../../support/builders/run-records.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  internalColumns,
  submitOnlyColumns,
  taskColumns,
} from '../../../../src/adapters/postgres/codec/task-columns.ts';
import type { TaskDraft } from '../../../../src/domain/model/task/task-draft.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { createQueueDriver } from '../../../support/queue/queue-driver.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

describe('the columns of tasks', () => {
  it('are those of the database, with their types', async () => {
    const expected = [...taskColumns.map(([, column, type]) => [column, type]), ...submitOnlyColumns].map(
      ([column, type]) => ({ column, type }),
    );
    const rows = await db.query<{ column: string; type: string }>(
      `select column_name as column, case udt_name when '_text' then 'text[]' when 'int2' then 'smallint'
         when 'int4' then 'integer' when 'int8' then 'bigint' when 'bool' then 'boolean' else udt_name end as type
       from information_schema.columns where table_name = 'tasks' and table_schema = 'public'`,
    );
    const internal = new Set<string>(internalColumns);
    const byName = (a: { column: string }, b: { column: string }): number => (a.column < b.column ? -1 : 1);
    expect(rows.filter(({ column }) => !internal.has(column)).toSorted(byName)).toEqual(expected.toSorted(byName));
    expect(
      rows
        .filter(({ column }) => internal.has(column))
        .map(({ column }) => column)
        .toSorted(),
    ).toEqual([...internal].toSorted());
  });

  it('have no field twice', () => {
    const names = taskColumns.flatMap(([field, column]) => [field, `column ${column}`]);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('every field of a submit is in the task that is read', async () => {
  const driver = createQueueDriver(verbs, db);
  const { codebaseId, workerId } = await driver.worker();
  const earlier = await driver.submit(codebaseId);
  const { maxAttempts, message, topic, ...fields }: Required<Omit<TaskDraft, 'push'>> = {
    title: 'the title',
    prompt: 'the prompt',
    codebaseId,
    requiredCapabilities: ['gpu'],
    targetAgent: 'an agent',
    targetWorkerId: workerId,
    agentType: 'a type',
    model: 'a model',
    priority: 7,
    conversationId: 'a conversation',
    deadlineAt: '2100-01-02T03:04:05.678Z',
    maxAttempts: 5,
    webhookUrl: 'https://example.org/hook',
    retryOf: earlier.id,
    follows: earlier.id,
    topic: 'a topic',
    step: buildStepDescriptor(),
    metadata: { some: 'value' },
    message: { messageId: 'm', parts: [{ text: 'the prompt' }], metadata: { of: 'the message' } },
  };
  const id = verbs.makeId();
  const attemptId = verbs.makeId();
  const submission = { id, attemptId, maxAttempts: maxAttempts ?? 0, routeId: 'r', createdBy: 'a creator' };
  const draft = { ...fields, maxAttempts, message, topic };
  const tenant = { tenantId: 'default' };
  const verdict = await verbs.queue.submit(tenant, { ...submission, draft, idempotency: undefined });
  expect(verdict).toMatchObject({ verdict: 'created' });
  const [task, messages] = await verbs.store.within(tenant, (rows) =>
    Promise.all([rows.tasks.find(id), rows.tasks.messages(id)]),
  );
  expect(task).toMatchObject({ ...fields, id, attemptId, maxAttempts, createdBy: 'a creator', status: 'pending' });
  expect(Object.keys(task ?? {}).toSorted()).toEqual(taskColumns.map(([field]) => field as string).toSorted());
  expect(messages).toMatchObject([message]);
  expect(await db.query('select topic from tasks where id = $1', [id])).toEqual([{ topic }]);
});
