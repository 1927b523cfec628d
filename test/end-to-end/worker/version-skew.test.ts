// Versions apart: a worker of the first release works with this service, and this worker with a newer service.
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorkerClient } from '../../../src/worker/service/client.ts';
import { openService, type TestService } from '../../support/service.ts';
import { openStream } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';
import { buildWorkerTask } from '../../support/builders/worker-task.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

/** The requests of the first release's worker, recorded, and what it read of the answers. Never to be changed. */
const recorded = {
  register: {
    name: 'of-the-first-release',
    capabilities: ['agent', 'build', 'deploy'],
    hostname: 'old',
    version: '1.2.0',
    agents: ['command'],
    models: [],
    slots: 2,
    codebases: [{ codebase_id: 'global', name: 'global', path: '/srv/old', workspace_mode: 'worktree' }],
  },
  events: [
    { type: 'progress', message: 'command works in /srv/old.', n: 1 },
    { type: 'output', stream: 'stdout', text: 'begun\n', n: 2 },
    { type: 'checkpoint', data: { step: 1 }, n: 3 },
    { type: 'message', role: 'agent', parts: [{ text: 'hello' }], n: 4 },
    { type: 'artifact', name: 'notes', mime_type: 'text/plain', text: 'a', append: false, last_chunk: true, n: 5 },
  ],
  release: {
    status: 'completed',
    result: 'all done',
    artifacts: [
      { name: 'diff', mime_type: 'text/x-diff', text: 'diff --git a/a b/a\n' },
      {
        name: 'files',
        mime_type: 'application/json',
        data: [{ path: 'a', status: 'added', added: 1, removed: 0 }],
      },
    ],
    usage: { duration_ms: 12, input_tokens: 3, output_tokens: 4 },
  },
};

const text = z.string();
const codebase = z.object({
  codebase_id: text,
  name: text,
  path: text,
  description: text,
  worker_id: text.nullable(),
  status: z.enum(['active', 'unbound']),
  workspace_mode: z.enum(['worktree', 'in_place']),
  created_by: text,
  created_at: text,
  bindings: z.array(z.object({ worker_id: text, path: text })),
});
const task = z.object({
  id: text,
  title: text,
  prompt: text,
  status: z.enum(['pending', 'running', 'needs_input', 'completed', 'failed', 'cancelled']),
  agent_type: text.nullable(),
  model: text.nullable(),
  priority: z.int(),
  codebase_id: text.nullable(),
  target_agent: text.nullable(),
  required_capabilities: z.array(text),
  run_id: text,
  attempt: z.int(),
  max_attempts: z.int(),
  metadata: z.record(text, z.unknown()),
  messages: z.array(
    z.object({ message_id: text, role: z.enum(['user', 'agent']), parts: z.array(z.unknown()), at: text }),
  ),
});
const assignment = z.object({ task, lease_token: text, lease_expires_at: text });
const read = {
  registered: z.object({
    worker: z.object({ worker_id: text, status: z.enum(['active', 'offline', 'unregistered']) }),
    codebases: z.array(codebase),
    lease_seconds: z.number(),
    heartbeat_seconds: z.number(),
  }),
  beaten: z.object({
    renewed: z.array(z.object({ task_id: text, lease_expires_at: text })),
    lost: z.array(text),
    cancel: z.array(text),
    interventions: z.array(
      z.object({ id: text, task_id: text, action: z.enum(['message', 'pause', 'resume', 'cancel']) }),
    ),
  }),
  claimed: z.object({ tasks: z.array(assignment) }),
  taken: z.object({ seq: z.int(), cancel_requested: z.boolean() }),
  released: z.object({ task_id: text, status: text, seq: z.int() }),
  connected: z.object({ worker_id: text, heartbeat_seconds: z.number(), lease_seconds: z.number() }),
};

async function post<T>(path: string, body: unknown, answer: z.ZodType<T>): Promise<T> {
  const reply = await service.call('POST', path, { as: 'agent', body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return answer.parse(reply.body);
}

async function registerAsThen(): Promise<string> {
  const registered = await post('/v1/agent/workers/register', recorded.register, read.registered);
  expect(registered.codebases.map(({ codebase_id }) => codebase_id)).toContain('global');
  return registered.worker.worker_id;
}

/** Works on an assignment as the first release did. */
async function workAsThen(workerId: string, { task: { id }, lease_token }: z.infer<typeof assignment>): Promise<void> {
  const running = [{ task_id: id, lease_token }];
  const beaten = await post(`/v1/agent/workers/${workerId}/heartbeat`, { running, slots_free: 1 }, read.beaten);
  expect(beaten.renewed.map(({ task_id }) => task_id)).toEqual([id]);
  const events = `/v1/worker/tasks/${id}/events`;
  await post(events, { lease_token, events: recorded.events }, read.taken);
  const answer = await post(`/v1/worker/tasks/${id}/release`, { lease_token, ...recorded.release }, read.released);
  expect(answer).toMatchObject({ task_id: id, status: 'completed' });
}

async function expectDone(taskId: string): Promise<void> {
  const { body } = await service.call('GET', `/v1/agent/tasks/${taskId}`);
  expect(body.task).toMatchObject({ status: 'completed', result: 'all done', attempt: 1 });
  const { body: found } = await service.call('GET', `/v1/agent/tasks/${taskId}/artifacts`);
  expect(found.artifacts.map(({ name }: { name: string }) => name).toSorted()).toEqual(['diff', 'files', 'notes']);
}

describe('a worker of the first release', () => {
  it('gets tasks by claim, works on them and brings their results', async () => {
    const workerId = await registerAsThen();
    const { id } = await service.task({ prompt: 'do it' });
    const { tasks } = await post('/v1/worker/tasks/claim', { worker_id: workerId, limit: 1 }, read.claimed);
    const [assigned] = tasks;
    expect(assigned?.task.id).toBe(id);
    if (assigned !== undefined) await workAsThen(workerId, assigned);
    await expectDone(id);
    await post(`/v1/agent/workers/${workerId}/unregister`, {}, z.unknown());
  });

  it('gets tasks by push', async () => {
    const workerId = await registerAsThen();
    await using stream = await openStream(service, `/v1/worker/tasks/stream?worker_id=${workerId}&slots=2`, {
      as: 'agent',
    });
    read.connected.parse((await stream.take('connected')).data);
    const { id } = await service.task({ prompt: 'do it' });
    const assigned = assignment.parse((await stream.take('task_assigned')).data);
    expect(assigned.task.id).toBe(id);
    await workAsThen(workerId, assigned);
    await expectDone(id);
    await stream.close();
    await post(`/v1/agent/workers/${workerId}/unregister`, {}, z.unknown());
  });

  it('says nothing but its name, and is a worker all the same', async () => {
    const { worker } = await post('/v1/agent/workers/register', { name: 'terse' }, read.registered);
    const beaten = await post(`/v1/agent/workers/${worker.worker_id}/heartbeat`, {}, read.beaten);
    expect(beaten).toMatchObject({ renewed: [], lost: [], cancel: [], interventions: [] });
    const claim = { worker_id: worker.worker_id };
    expect(await post('/v1/worker/tasks/claim', claim, read.claimed)).toEqual({ tasks: [] });
  });
});

const id = '01890000-0000-7000-8000-000000000009';
const later = { of_a_later_release: { deep: [1, 2] } };

/** Answers of a possible newer service: fields, actions, modes and states that this worker does not know. */
function answersOfALaterRelease(path: string): unknown {
  const known = {
    codebase_id: id,
    name: 'n',
    path: '/srv',
    description: '',
    worker_id: null,
    status: 'active',
    workspace_mode: 'worktree',
    created_by: 'x',
    created_at: '2026-01-02T03:04:05.678Z',
    bindings: [{ worker_id: id, path: '/srv', ...later }],
    ...later,
  };
  if (path.endsWith('/register')) {
    const worker = { worker_id: id, status: 'resting', ...later };
    const codebases = [known, { ...known, workspace_mode: 'somewhere_else' }];
    return { worker, codebases, lease_seconds: 60, heartbeat_seconds: 20, ...later };
  }
  if (path.endsWith('/heartbeat')) {
    const interventions = [
      { id, task_id: id, action: 'sing', ...later },
      { id, task_id: id, action: 'cancel', ...later },
    ];
    return {
      renewed: [{ task_id: id, lease_expires_at: '2026-01-02T03:04:05.678Z', ...later }],
      lost: [],
      cancel: [],
      interventions,
      ...later,
    };
  }
  if (path.endsWith('/claim')) {
    const newerAssignment = { lease_token: id, lease_expires_at: '2026-01-02T03:04:05.678Z', ...later };
    const tasks = [
      { task: { ...buildWorkerTask({ id }), ...later }, ...newerAssignment },
      { task: { ...buildWorkerTask(), status: 'dreaming' }, ...newerAssignment },
    ];
    return { tasks, ...later };
  }
  if (path.endsWith('/events')) return { seq: 1, cancel_requested: false, ...later };
  return { task_id: id, status: 'celebrated', seq: 1, ...later };
}

describe('this worker', () => {
  it('takes what it understands of the answers of a newer service, and passes over the rest', async () => {
    const received: string[] = [];
    const server = createServer((request: IncomingMessage, response) => {
      received.push(request.url ?? '');
      request.resume().once('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answersOfALaterRelease(request.url ?? '')));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const options = { token: 't', fetch, userAgent: 'test' };
    const client = createWorkerClient({ serverUrl: `http://127.0.0.1:${port}`, ...options });
    try {
      const registered = await client.register({ name: 'w' });
      expect(registered).toMatchObject({ worker: { worker_id: id }, codebases: [{ codebase_id: id }] });
      expect(registered.codebases).toHaveLength(1);
      const beaten = await client.heartbeat(id, { running: [] });
      expect(beaten.interventions).toEqual([{ id, task_id: id, action: 'cancel' }]);
      expect(beaten.renewed).toHaveLength(1);
      const tasks = await client.claim({ worker_id: id, limit: 2 });
      expect(tasks.map((one) => one.task.id)).toEqual([id]);
      await client.reportEvents(id, { lease_token: id, events: [{ type: 'progress', n: 1 }] });
      await client.release(id, { lease_token: id, status: 'completed' });
      await until('all asked', () => received.length === 5);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
