// Questions with options: asked by a release, shown by the task, answered once and never in place of another.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../../src/contracts/worker.ts';
import { openService, type ApiReply, type ManualWorker, type TestService } from '../../../support/service.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker();
});
afterAll(() => service[Symbol.asyncDispose]());

const colours = [
  { value: 'r', label: 'Red' },
  { value: 'g', label: 'Green' },
];

async function claim(id: string): Promise<AssignmentWire> {
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('the task was not claimed');
  return held;
}

async function ask(message: Record<string, unknown>, id?: string): Promise<{ id: string; reply: ApiReply }> {
  const taskId = id ?? (await service.task({ codebase_id: 'global' })).id;
  const held = await claim(taskId);
  const reply = await worker.release(held, { status: 'needs_input', message });
  // A task with a refused question would run on.
  if (reply.status !== 200) await worker.release(held, { status: 'completed' });
  return { id: taskId, reply };
}

async function questionOf(id: string): Promise<ApiReply['body']> {
  return (await service.call('GET', `/v1/agent/tasks/${id}`)).body.task.question;
}

const answer = (id: string, body: Record<string, unknown>): Promise<ApiReply> =>
  service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'editor', body });

describe('a question', () => {
  it('is shown with its id, options and time while the task asks it [ui-6.2.1, ui-6.3.1]', async () => {
    const context = { command: 'rm -r build', paths: ['build'] };
    const { id } = await ask({ text: 'May I?', options: colours, kind: 'permission', context });
    const { body } = await service.call('GET', `/v1/agent/tasks/${id}/events`);
    const event = body.events.at(-1);
    expect(await questionOf(id)).toEqual({
      question_id: event.data.question_id,
      kind: 'permission',
      text: 'May I?',
      options: colours,
      context,
      asked_at: event.at,
    });
    const list = await service.call('GET', '/v1/agent/tasks?status=needs_input&limit=1');
    expect(list.body.tasks[0].question).toEqual(await questionOf(id));
    const answered = await answer(id, { message: 'yes' });
    expect(answered.body.task).toMatchObject({ status: 'pending', question: null });
    expect(await questionOf(id)).toBeNull();
  });

  it('of text alone has no options, and its message stays as it was for other protocols [ui-6.2.1]', async () => {
    const { id } = await ask({ text: 'Which\ncolour?' });
    expect(await questionOf(id)).toMatchObject({
      text: 'Which\ncolour?',
      kind: 'question',
      options: [],
      context: null,
    });
    await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'editor', body: {} });
    expect(await questionOf(id)).toBeNull();
  });

  it('has the value of an option as its label where it has none [ui-6.3.1]', async () => {
    const { id } = await ask({ text: 'Which?', options: [{ value: 'left' }] });
    expect((await questionOf(id)).options).toEqual([{ value: 'left', label: 'left' }]);
  });

  it.each([
    ['ten options', { options: Array.from({ length: 10 }, (_, n) => ({ value: `${n}` })) }, '/message/options'],
    ['an option without a value', { options: [{ label: 'x' }] }, '/message/options/0/value'],
    ['two of one value', { options: [...colours, { value: 'r', label: 'R' }] }, '/message/options/2/value'],
    ['a kind that is none', { kind: 'wish' }, '/message/kind'],
    ['a context that is no object', { context: ['x'] }, '/message/context'],
    ['a context of more than 16 KiB', { context: { x: 'y'.repeat(16 * 1024) } }, '/message/context'],
    ['a field that is none', { choices: [] }, '/message/choices'],
  ])('with %s is refused [ui-6.3.2]', async (_, fields, path) => {
    const { reply } = await ask({ text: 'Which?', ...fields });
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].path).toBe(path);
  });

  it('repeated by its worker is the same question, and with other options another release [ui-6.3.1]', async () => {
    const { id } = await service.task({ codebase_id: 'global' });
    const held = await claim(id);
    const release = { status: 'needs_input', message: { text: 'Which?', options: colours } };
    expect((await worker.release(held, release)).status).toBe(200);
    const asked = await questionOf(id);
    expect((await worker.release(held, release)).status).toBe(200);
    expect(await questionOf(id)).toEqual(asked);
    const other = await worker.release(held, { ...release, message: { text: 'Which?', options: [colours[0]] } });
    expect(other).toMatchObject({ status: 409, body: { code: 'lease_lost' } });
  });
});

describe('an answer', () => {
  it('by an option reaches the worker as a message with its label [ui-6.3.4]', async () => {
    const { id } = await ask({ text: 'Which?', options: colours });
    expect(await answer(id, { option: 'g' })).toMatchObject({ status: 200, body: { task: { status: 'pending' } } });
    const { task } = await claim(id);
    expect(task.messages.at(-1)).toMatchObject({ role: 'user', parts: [{ text: 'Green' }] });
  });

  it.each([
    ['neither', {}],
    ['both', { message: 'x', option: 'r' }],
    ['an empty message', { message: '' }],
    ['only the question', { question_id: 'q' }],
  ])('of %s is refused [ui-6.3.3]', async (_, body) => {
    const { id } = await ask({ text: 'Which?', options: colours });
    expect(await answer(id, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await questionOf(id)).not.toBeNull();
  });

  it('by an option that the question does not have is refused, and the task goes on asking [ui-6.3.5]', async () => {
    const { id } = await ask({ text: 'Which?', options: colours });
    // A label is no value.
    for (const option of ['b', 'Red', '__proto__']) {
      const refused = await answer(id, { option });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(refused.body.errors[0].path).toBe('/option');
    }
    const { id: plain } = await ask({ text: 'Which?' });
    expect((await answer(plain, { option: 'r' })).status).toBe(400);
    expect(await questionOf(id)).not.toBeNull();
  });

  it('to another question than the task asks is refused [ui-6.3.6]', async () => {
    const { id } = await ask({ text: 'Which?', options: colours });
    const { question_id: first } = await questionOf(id);
    expect((await answer(id, { option: 'r', question_id: first })).status).toBe(200);
    await ask({ text: 'Delete all?', options: [{ value: 'r', label: 'Really' }] }, id);
    const second = await questionOf(id);
    const changed = { status: 409, body: { code: 'question_changed' } };
    expect(await answer(id, { message: 'red', question_id: first })).toMatchObject(changed);
    expect(await answer(id, { option: 'r', question_id: first })).toMatchObject(changed);
    expect(await answer(id, { option: 'r', question_id: 'no id at all' })).toMatchObject(changed);
    expect(await questionOf(id)).toEqual(second);
    expect((await answer(id, { message: 'no', question_id: second.question_id })).status).toBe(200);
  });

  it('to a task that asks nothing is refused, with an option too', async () => {
    const { id } = await service.task({ codebase_id: 'global' });
    for (const body of [{ message: 'x' }, { option: 'x' }, { option: 'x', question_id: 'q' }]) {
      expect(await answer(id, body)).toMatchObject({ status: 409, body: { code: 'no_question' } });
    }
    await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'editor', body: {} });
    expect(await answer(id, { option: 'x' })).toMatchObject({ status: 409, body: { code: 'task_finished' } });
  });

  it('is taken once of many at the same time [ui-6.3.7]', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await ask({ text: 'Which?', options: colours });
      const { question_id } = await questionOf(id);
      const many = Array.from({ length: 6 }, (_, n) =>
        answer(id, n % 2 === 0 ? { option: 'r', question_id } : { message: `m${n}`, question_id }),
      );
      const statuses = (await Promise.all(many)).map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
      const { task } = await claim(id);
      expect(task.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    }
  });

  it('of another tenant finds no task, and the question of another tenant is not seen', async () => {
    const { id } = await ask({ text: 'Which?', options: colours });
    const { question_id } = await questionOf(id);
    const foreign = await service.call('POST', `/v1/agent/tasks/${id}/input`, {
      as: 'other',
      body: { option: 'r', question_id },
    });
    expect(foreign.status).toBe(404);
    expect((await service.call('GET', '/v1/agent/tasks', { as: 'other' })).body.tasks).toEqual([]);
  });
});
