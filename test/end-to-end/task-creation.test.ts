// Every way to create a task takes the same fields within the same bounds, and the task has them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ManualWorker, type TestService, type ApiReply } from '../support/service.ts';
import { message } from '../support/a2a/client.ts';

let service: TestService;
let worker: ManualWorker;
const sessionId = 'a-session';
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ name: 'builder', capabilities: ['build'] });
  await service.call('POST', '/v1/agent/codebases/global/sessions/sync', {
    as: 'agent',
    body: { worker_id: worker.id, sessions: [{ session_id: sessionId }] },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

type Fields = Record<string, unknown>;

interface CreationBinding {
  readonly name: string;
  /** Fields with another name. */
  readonly names?: Readonly<Record<string, string>>;
  create(fields: Fields): Promise<ApiReply>;
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiReply> =>
  service.call('POST', path, { as: 'operator', body, headers });
const prompted = { title: 'a task', prompt: 'do it' };

/** A2A's own members, and the rest as metadata of the message or of the params. */
const a2aMessage = (metadata: Fields, fields: Fields = {}): Fields => ({ ...message(), ...fields, metadata });
const a2aParams = ({ metadata, ...fields }: Fields): Fields => ({ message: a2aMessage(fields), metadata });
const modern = (params: Fields): Fields => ({ ...params, configuration: { returnImmediately: true } });
const v10 = { kind: undefined, role: 'ROLE_USER', parts: [{ text: 'do it' }] };
const v10Params = ({ metadata, ...fields }: Fields): Fields => modern({ message: a2aMessage(fields, v10), metadata });
const rpc = (method: string, params: unknown, path = '/a2a/jsonrpc'): Promise<ApiReply> =>
  post(path, { jsonrpc: '2.0', id: 1, method, params });
const tool = (name: string, args: Fields): Promise<ApiReply> => post('/mcp/tools/call', { name, arguments: args });

const ways: readonly CreationBinding[] = [
  {
    name: 'POST /v1/agent/tasks',
    create: (fields) => post('/v1/agent/tasks', { ...prompted, codebase_id: 'global', ...fields }),
  },
  {
    name: 'POST /v1/agent/codebases/{id}/tasks',
    create: (fields) => post('/v1/agent/codebases/global/tasks', { ...prompted, ...fields }),
  },
  {
    name: 'POST /v1/agent/codebases/{id}/trigger',
    create: (fields) => post('/v1/agent/codebases/global/trigger', { prompt: 'do it', ...fields }),
  },
  {
    name: 'POST …/sessions/{sid}/resume',
    create: (fields) => post(`/v1/agent/codebases/global/sessions/${sessionId}/resume`, { prompt: 'go on', ...fields }),
  },
  {
    name: 'POST /v1/automation/tasks',
    create: (fields) => post('/v1/automation/tasks', { title: 'a task', description: 'do it', ...fields }),
  },
  { name: 'message/send', create: (fields) => rpc('message/send', a2aParams(fields)) },
  {
    name: 'message/send, in the params',
    create: (fields) => rpc('message/send', { message: message(), metadata: metadataIn(fields) }),
  },
  {
    name: 'message/send in the older form',
    create: ({ metadata, ...fields }) =>
      rpc(
        'message/send',
        { message: { parts: [{ type: 'text', content: 'do it' }], metadata: fields }, metadata },
        '/',
      ),
  },
  { name: 'SendMessage', create: (fields) => rpc('SendMessage', v10Params(fields)) },
  { name: 'POST /a2a/rest/message:send', create: (fields) => post('/a2a/rest/message:send', a2aParams(fields)) },
  {
    name: 'POST /a2a/rest/message:send, v1.0',
    create: (fields) => post('/a2a/rest/message:send', v10Params(fields), { 'a2a-version': '1.0' }),
  },
  {
    name: 'POST /a2a/rest/v1/message:send',
    create: ({ metadata, ...fields }) =>
      post('/a2a/rest/v1/message:send', {
        message: a2aMessage(fields, {
          kind: undefined,
          role: 'ROLE_USER',
          parts: undefined,
          content: [{ text: 'do it' }],
        }),
        metadata,
      }),
  },
  {
    name: 'create_task',
    create: (fields) => tool('create_task', { title: 'a task', codebase_id: 'global', ...fields }),
  },
  { name: 'send_message', create: (fields) => tool('send_message', { message: 'do it', wait_seconds: 0, ...fields }) },
  { name: 'send_message_async', create: (fields) => tool('send_message_async', { message: 'do it', ...fields }) },
  {
    name: 'send_to_agent',
    names: { target_agent: 'agent_name' },
    create: (fields) => tool('send_to_agent', { message: 'do it', agent_name: 'builder', ...fields }),
  },
];

/** All of a task's fields as metadata of the params: what is no routing stays with the task. */
function metadataIn({ metadata = {}, ...fields }: Fields): unknown {
  return typeof metadata === 'object' ? { ...fields, ...metadata } : metadata;
}

/** choices-3. A fresh value for each task where one task's would reach another. */
const wanted = (): Fields => ({
  priority: 7,
  required_capabilities: ['build'],
  target_agent: 'builder',
  target_worker_id: worker.id,
  deadline_at: '2099-01-02T03:04:05.678Z',
  max_attempts: 5,
  conversation_id: `conversation-${randomUUID()}`,
  metadata: { ticket: 'T-1', nested: { a: [1] } },
  webhook_url: 'https://hooks.example.org/done',
});
const fields = [
  'priority',
  'required_capabilities',
  'target_agent',
  'target_worker_id',
  'deadline_at',
  'max_attempts',
  'conversation_id',
  'metadata',
  'webhook_url',
];

const refused: readonly Fields[] = [
  { priority: 101 },
  { priority: -1 },
  { priority: 'high' },
  { required_capabilities: 'build' },
  { required_capabilities: Array.from({ length: 33 }, (_, i) => `c${i}`) },
  { target_agent: '' },
  { target_worker_id: 'nobody' },
  { target_worker_id: '01a1fe54-4a4a-7000-89aa-ee8f27cb4186' },
  { deadline_at: 'tomorrow' },
  { max_attempts: 0 },
  { max_attempts: 21 },
  { conversation_id: 'c'.repeat(201) },
  { metadata: { long: 'x'.repeat(17 * 1024) } },
  { metadata: 'none' },
  { webhook_url: 'http://10.0.0.1/' },
  { webhook_url: 'nowhere' },
];

function spelled({ names = {} }: CreationBinding, requested: Fields): Fields {
  return Object.fromEntries(Object.entries(requested).map(([key, value]) => [names[key] ?? key, value]));
}

/** The task, in any envelope. */
function taskIdIn({ body }: ApiReply): string | undefined {
  const payload = body.result ?? body;
  const task = payload.task ?? payload;
  return body.isError === true || body.error !== undefined ? undefined : (task.task_id ?? task.id);
}

async function madeBy(way: CreationBinding, requested: Fields): Promise<Fields> {
  const reply = await way.create(spelled(way, requested));
  const id = taskIdIn(reply);
  if (id === undefined) throw new Error(`${way.name} made no task: ${JSON.stringify(reply.body)}`);
  const { status, body } = await service.call('GET', `/v1/agent/tasks/${id}`, { as: 'operator' });
  expect(status).toBe(200);
  return body.task;
}

describe.each(ways)('$name', (way) => {
  it('takes every field by which a task is routed and bounded, alone and together [choices-3.29, choices-3.30, choices-3.31, choices-3.32, choices-3.33, choices-3.34, choices-3.35, choices-3.36, choices-3.37]', async () => {
    const all = wanted();
    expect(Object.keys(all)).toEqual(fields);
    for (const requested of [...fields.map((field) => ({ [field]: wanted()[field] })), all]) {
      const task = await madeBy(way, requested);
      for (const [field, value] of Object.entries(requested)) {
        expect([way.name, field, task[field]]).toEqual([
          way.name,
          field,
          field === 'metadata' ? expect.objectContaining(value as object) : value,
        ]);
      }
    }
  });

  it('holds each of them to its bounds', async () => {
    for (const requested of refused) {
      const reply = await way.create(spelled(way, requested));
      expect([requested, taskIdIn(reply), reply.status < 500]).toEqual([requested, undefined, true]);
    }
  });
});

describe('a field that is given twice', () => {
  it.each(['message/send', 'SendMessage'])('and differently, is refused over %s', async (method) => {
    const params = method === 'SendMessage' ? v10Params : a2aParams;
    const { message: firstMessage, ...rest } = params({ conversation_id: 'one' });
    const withContext = (contextId: string): Promise<ApiReply> =>
      rpc(method, { ...rest, message: { ...(firstMessage as Fields), contextId } });
    expect((await withContext('two')).body.error).toMatchObject({ code: -32602 });
    expect((await withContext('one')).body.result).toBeDefined();
  });

  it('is refused where a deadline is a time and a number of seconds', async () => {
    const deadlines = { deadline_seconds: 60, deadline_at: '2099-01-02T03:04:05.678Z' };
    const { body } = await tool('send_to_agent', { message: 'do it', agent_name: 'builder', ...deadlines });
    expect([body.isError, JSON.stringify(body)]).toEqual([true, expect.stringContaining('deadline_seconds')]);
  });
});
