// Interventions: stored, sent to the worker, and reported as delivered only once that is confirmed.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heartbeatAnswer, streamFrames, type AssignmentWire } from '../../../../src/contracts/worker.ts';
import {
  openService,
  type ManualWorker,
  type TestService,
  type ApiReply,
  type TestUser,
} from '../../../support/service.ts';
import { assertInvariants } from '../../../support/database/invariants.ts';
import { openStream } from '../../../support/client/sse.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
beforeAll(async () => {
  // A lease outlives a thousand interventions on a busy machine.
  service = await openService({ config: { leaseSeconds: 600 } });
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

interface Running {
  readonly worker: ManualWorker;
  readonly held: AssignmentWire;
  readonly taskId: string;
  readonly codebase: string;
}

let names = 0;
/** A worker with a codebase of its own that runs one task. */
async function running(profile: Record<string, unknown> = {}): Promise<Running> {
  const codebases = [{ name: 'code', path: '/code' }];
  const worker = await service.worker({ name: `worker ${(names += 1)}`, agents: [], codebases, ...profile });
  const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
  const task = await service.task({ codebase_id: codebase });
  const [held] = await worker.claim(1, task.id);
  if (held === undefined) throw new Error('not claimed');
  return { worker, held, taskId: task.id, codebase };
}

const intervene = (body: Record<string, unknown>, as: TestUser = 'operator'): Promise<ApiReply> =>
  service.call('POST', '/v1/monitor/intervene', { as, body });

async function interventionsOf(taskId: string, body: Record<string, unknown>): Promise<string> {
  const reply = await intervene({ task_id: taskId, ...body });
  if (reply.status !== 202) throw new Error(`not accepted: ${JSON.stringify(reply.body)}`);
  return reply.body.intervention.id;
}

async function stateOf(id: string, as: TestUser = 'viewer'): Promise<Record<string, unknown>> {
  const { status, body } = await service.call('GET', `/v1/monitor/interventions/${id}`, { as });
  return status === 200 ? body.intervention : { status };
}

const answer = (n: number, id: string, action: string, status = 'delivered', reason?: string): unknown => ({
  type: 'intervention',
  n,
  id,
  action,
  status,
  ...(reason !== undefined && { reason }),
});

describe('an intervention', () => {
  it('is accepted with 202, sent with the heartbeat, and delivered only when the worker confirms it [choices-3.84, choices-3.85, choices-3.86]', async () => {
    const { worker, held, taskId } = await running();
    const reply = await intervene({ task_id: taskId, action: 'message', message: 'Use the blue one.' });
    expect(reply.status).toBe(202);
    const { id, status } = reply.body.intervention;
    expect(status).toBe('queued');
    const heartbeat = await worker.heartbeat([held]);
    expect(heartbeatAnswer.parse(heartbeat.body).interventions).toEqual([
      { id, task_id: taskId, action: 'message', message: 'Use the blue one.', message_id: id },
    ]);
    expect(await stateOf(id)).toMatchObject({ status: 'sent', worker_id: worker.id, settled_at: null });
    // At least once: until it is answered, each heartbeat says it again.
    expect((await worker.heartbeat([held])).body.interventions).toHaveLength(1);
    const posted = await worker.report(held, [answer(1, id, 'message')]);
    expect(posted.status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'delivered', reason: null, settled_at: expect.any(String) });
    expect((await worker.heartbeat([held])).body.interventions).toEqual([]);
    const log = (await service.call('GET', `/v1/agent/tasks/${taskId}/events`)).body.events;
    expect(log.at(-1)).toMatchObject({
      type: 'intervention',
      data: { intervention_id: id, action: 'message', status: 'delivered' },
    });
    // A repeated answer changes nothing, whatever the second one says.
    await worker.report(held, [answer(2, id, 'message', 'failed', 'late')]);
    expect(await stateOf(id)).toMatchObject({ status: 'delivered', reason: null });
  });

  it('needs monitor:write, and is read with monitor:read [core-4.5.3, core-5.5.4]', async () => {
    const { taskId } = await running();
    for (const who of ['editor', 'viewer', 'agent'] as const) {
      expect((await intervene({ task_id: taskId, action: 'pause' }, who)).status).toBe(403);
    }
    const id = await interventionsOf(taskId, { action: 'pause' });
    for (const who of ['viewer', 'agent', 'editor'] as const) {
      expect(await stateOf(id, who)).toMatchObject({ action: 'pause', created_by: expect.any(String) });
    }
    const { body } = await service.call('GET', `/v1/monitor/interventions?task_id=${taskId}`, { as: 'viewer' });
    expect(body.interventions).toMatchObject([{ id, status: 'queued' }]);
    const audit = await service.call('GET', '/v1/audit/events?limit=200');
    const entries = audit.body.events.filter((entry: { action: string }) => entry.action === 'monitor.intervene');
    expect(new Set(entries.map((entry: { outcome: string }) => entry.outcome))).toEqual(new Set(['success', 'denied']));
  });

  it('is sent at once through the push channel, and again after a reconnect [choices-5.13]', async () => {
    const { worker, taskId } = await running();
    const path = `/v1/worker/tasks/stream?worker_id=${worker.id}`;
    await using stream = await openStream(service, path, { as: 'agent' });
    await stream.take('connected');
    const id = await interventionsOf(taskId, { action: 'pause' });
    const { data } = await stream.take('intervention');
    expect(streamFrames.intervention.parse(data)).toEqual({ id, task_id: taskId, action: 'pause' });
    await stream.close();
    await using again = await openStream(service, path, { as: 'agent' });
    expect((await again.take('intervention')).data.id).toBe(id);
    expect(await stateOf(id)).toMatchObject({ status: 'sent' });
  });

  it('reaches the worker on any replica that holds its channel', async () => {
    await using other = await openService({ db: service.db });
    const { worker, taskId } = await running();
    await using stream = await openStream(other, `/v1/worker/tasks/stream?worker_id=${worker.id}`, { as: 'agent' });
    await stream.take('connected');
    const id = await interventionsOf(taskId, { action: 'message', message: 'over there' });
    expect((await stream.take('intervention')).data).toMatchObject({ id, message: 'over there' });
  });

  it('fails with the worker’s reason', async () => {
    const { worker, held, taskId } = await running();
    const id = await interventionsOf(taskId, { action: 'message', message: 'hello?' });
    await worker.heartbeat([held]);
    await worker.report(held, [answer(1, id, 'message', 'failed', 'agent_takes_no_messages')]);
    expect(await stateOf(id)).toMatchObject({ status: 'failed', reason: 'agent_takes_no_messages' });
  });
});

describe('the end of an attempt', () => {
  it.each(['completed', 'failed'])('as %s fails undelivered interventions', async (status) => {
    const { worker, held, taskId } = await running();
    const [message, pause, early] = [
      await interventionsOf(taskId, { action: 'message', message: 'wait' }),
      await interventionsOf(taskId, { action: 'pause' }),
      await interventionsOf(taskId, { action: 'message', message: 'received' }),
    ];
    await worker.report(held, [answer(1, early, 'message')]);
    await worker.release(held, { status, ...(status === 'failed' && { error: { code: 'x', message: 'x' } }) });
    for (const id of [message, pause]) {
      expect(await stateOf(id)).toMatchObject({ status: 'failed', reason: `task_${status}` });
    }
    expect(await stateOf(early)).toMatchObject({ status: 'delivered' });
    expect((await intervene({ task_id: taskId, action: 'message', message: 'too late' })).body.code).toBe(
      'task_finished',
    );
  });

  it('by requeue keeps a message for the next attempt, and fails a pause', async () => {
    const { worker, held, taskId } = await running();
    const message = await interventionsOf(taskId, { action: 'message', message: 'for whoever comes' });
    const pause = await interventionsOf(taskId, { action: 'pause' });
    await worker.heartbeat([held]);
    await worker.release(held, { status: 'pending' });
    expect(await stateOf(message)).toMatchObject({ status: 'queued', worker_id: null });
    expect(await stateOf(pause)).toMatchObject({ status: 'failed', reason: 'run_ended' });
    await service.db.query('delete from task_holds where task_id = $1', [taskId]);
    const [next] = await worker.claim(1, taskId);
    if (next === undefined) throw new Error('not claimed');
    expect(next.task.messages.map(({ message_id }) => message_id)).toContain(message);
    expect((await worker.heartbeat([next])).body.interventions).toMatchObject([{ id: message, message_id: message }]);
    expect((await worker.report(held, [answer(1, message, 'message')])).body.code).toBe('lease_lost');
    expect(await stateOf(message)).toMatchObject({ status: 'sent' });
    await worker.report(next, [answer(1, message, 'message')]);
    expect(await stateOf(message)).toMatchObject({ status: 'delivered' });
  });

  it('concurrent with an intervention leaves a consistent state', async () => {
    const rounds = await Promise.all(Array.from({ length: 20 }, () => running()));
    await Promise.all(
      rounds.map(async ({ worker, held, taskId }, i) => {
        const action = i % 2 === 0 ? { action: 'message', message: 'x' } : { action: 'cancel' };
        const [reply, release] = await Promise.all([
          intervene({ task_id: taskId, ...action }),
          worker.release(held, { status: 'completed', result: 'done' }),
        ]);
        const { task } = (await service.call('GET', `/v1/agent/tasks/${taskId}`)).body;
        if (reply.status === 409) {
          expect(reply.body.code).toBe('task_finished');
          expect(task.status).toBe('completed');
        } else if (i % 2 === 0) {
          expect(task.status).toBe('completed');
          expect(await stateOf(reply.body.intervention.id)).toMatchObject({
            status: 'failed',
            reason: 'task_completed',
          });
        } else {
          expect(task.status).toBe('cancelled');
          expect(release.status).toBe(409);
        }
      }),
    );
  });
});

describe('a cancel', () => {
  it('is stored at once, and delivered when the worker confirms it', async () => {
    const { worker, held, taskId } = await running();
    const other = await interventionsOf(taskId, { action: 'message', message: 'never mind' });
    const id = await interventionsOf(taskId, { action: 'cancel', message: 'wrong branch' });
    expect((await service.call('GET', `/v1/agent/tasks/${taskId}`)).body.task.status).toBe('cancelled');
    expect(await stateOf(other)).toMatchObject({ status: 'failed', reason: 'task_cancelled' });
    expect(await stateOf(id)).toMatchObject({ status: 'queued' });
    const heartbeat = await worker.heartbeat([held]);
    expect(heartbeat.body).toMatchObject({ cancel: [taskId], interventions: [{ id, action: 'cancel' }] });
    // However late: what a killed run leaves is taken for 10 s, its word on the cancel longer.
    await service.db.query(`update tasks set completed_at = now() - interval '20 s' where id = $1`, [taskId]);
    const lateEvents = [{ type: 'artifact', n: 1, name: 'late', text: 'x' }, answer(2, id, 'cancel')];
    expect((await worker.report(held, lateEvents)).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'delivered' });
    expect((await service.call('GET', `/v1/agent/tasks/${taskId}/artifacts`)).body.artifacts).toEqual([]);
  });

  it('is also delivered when its worker only reports the end of the attempt', async () => {
    const { worker, held, taskId } = await running();
    const id = await interventionsOf(taskId, { action: 'cancel' });
    expect((await worker.release(held, { status: 'cancelled' })).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'delivered' });
  });

  it('of a task that is not running is applied at once', async () => {
    const task = await service.task({ codebase_id: (await running()).codebase });
    const reply = await intervene({ task_id: task.id, action: 'cancel' });
    expect(reply.body.intervention).toMatchObject({ status: 'applied', worker_id: null });
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.status).toBe('cancelled');
  });

  it('is not delivered while its worker does not answer', async () => {
    const { taskId } = await running();
    const id = await interventionsOf(taskId, { action: 'cancel' });
    await service.db.query(
      `update interventions set created_at = now() - interval '3 minutes' where intervention_id = $1`,
      [id],
    );
    expect(await stateOf(id)).toMatchObject({ status: 'failed', reason: 'worker_silent' });
  });
});

describe('a message', () => {
  it('over A2A to a running task joins its history and reaches the agent; a pending one has it in its next claim [choices-6.16]', async () => {
    const { worker, held, taskId, codebase } = await running();
    const send = (to: string, text: string): Promise<ApiReply> => {
      const message = {
        messageId: `message-${randomUUID()}`,
        role: 'user',
        taskId: to,
        parts: [{ kind: 'text', text }],
      };
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: { message, configuration: { blocking: false } },
      };
      return service.call('POST', '/a2a/jsonrpc', { as: 'editor', body });
    };
    const sent = await send(taskId, 'Use the blue one.');
    expect(sent.body.result.history.at(-1).parts[0].text).toBe('Use the blue one.');
    const [intervention, ...others] = (await worker.heartbeat([held])).body.interventions;
    expect(others).toEqual([]);
    expect(intervention).toMatchObject({ task_id: taskId, action: 'message', message: 'Use the blue one.' });
    expect(intervention.message_id).toMatch(/^message-/);
    await worker.report(held, [answer(1, intervention.id, 'message')]);
    expect(await stateOf(intervention.id)).toMatchObject({ status: 'delivered' });
    await worker.release(held, { status: 'completed' });

    const pending = await service.task({ codebase_id: codebase });
    await send(pending.id, 'And a red one.');
    const [claimed] = await worker.claim(1, pending.id);
    expect(claimed?.task.messages.at(-1)).toMatchObject({ role: 'user', parts: [{ text: 'And a red one.' }] });
    if (claimed !== undefined) expect((await worker.heartbeat([claimed])).body.interventions).toEqual([]);
  });

  it('answers a task that needs input', async () => {
    const { worker, held, taskId } = await running();
    await worker.release(held, { status: 'needs_input', message: { text: 'Which?' } });
    const id = await interventionsOf(taskId, { action: 'message', message: 'The blue one.' });
    const [next] = await worker.claim(1, taskId);
    expect(next?.task.messages.map(({ parts }) => parts[0])).toMatchObject([
      { text: 'Which?' },
      { text: 'The blue one.' },
    ]);
    expect(next?.interventions).toMatchObject([{ id, action: 'message' }]);
    expect(await stateOf(id)).toMatchObject({ status: 'sent' });
  });

  it('of hostile text arrives unchanged', async () => {
    const { worker, held, taskId } = await running();
    const message = `'); drop table tasks; -- \u202e {"type":"x"} \n\n</script> ${'𝄞'.repeat(1000)}`;
    const id = await interventionsOf(taskId, { action: 'message', message });
    expect((await worker.heartbeat([held])).body.interventions).toMatchObject([{ id, message }]);
    for (const wrong of ['', '   ', undefined, 'x'.repeat(200_001), 'a\0b']) {
      const reply = await intervene({
        task_id: taskId,
        action: 'message',
        ...(wrong !== undefined && { message: wrong }),
      });
      expect([reply.status, JSON.stringify(wrong)?.slice(0, 20)]).toEqual([400, JSON.stringify(wrong)?.slice(0, 20)]);
    }
  });
});

describe('the name of an agent', () => {
  it('is a worker’s id or name, or an agent’s name, if it identifies one attempt', async () => {
    const name = `named ${randomUUID()}`;
    const agent = `agent-${randomUUID().slice(0, 8)}`;
    const { worker, taskId } = await running({ name, agents: [agent] });
    for (const agentId of [worker.id, name, agent]) {
      const reply = await intervene({ agent_id: agentId, action: 'pause' });
      expect(reply).toMatchObject({ status: 202, body: { intervention: { task_id: taskId } } });
    }
  });

  it('that matches none or several is rejected with a remedy', async () => {
    const agent = `agent-${randomUUID().slice(0, 8)}`;
    const profile = { agents: [agent] };
    const [one, two] = [await running(profile), await running(profile)];
    const reply = await intervene({ agent_id: agent, action: 'pause' });
    expect(reply).toMatchObject({ status: 409, body: { code: 'ambiguous_agent' } });
    expect(reply.body.detail).toContain(one.taskId);
    expect(reply.body.detail).toContain(two.taskId);
    await one.worker.release(one.held, { status: 'completed' });
    expect((await intervene({ agent_id: agent, action: 'pause' })).body.intervention.task_id).toBe(two.taskId);
    await two.worker.release(two.held, { status: 'completed' });
    expect((await intervene({ agent_id: agent, action: 'pause' })).body.code).toBe('agent_idle');
    expect((await intervene({ agent_id: 'nobody at all', action: 'pause' })).body.code).toBe('agent_not_found');
    for (const body of [{ action: 'pause' }, { action: 'pause', agent_id: agent, task_id: one.taskId }]) {
      expect((await intervene(body)).status).toBe(400);
    }
  });
});

describe('what an intervention cannot', () => {
  it('pause or resume a task that is not running, nor reach an unknown or foreign one', async () => {
    const { taskId, codebase, worker } = await running();
    const pending = await service.task({ codebase_id: codebase });
    for (const action of ['pause', 'resume']) {
      expect((await intervene({ task_id: pending.id, action })).body.code).toBe('task_not_running');
    }
    const missing = await intervene({ task_id: randomUUID(), action: 'pause' });
    const foreign = await intervene({ task_id: taskId, action: 'pause' }, 'other');
    expect([missing.status, foreign.status]).toEqual([404, 404]);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
    expect((await intervene({ agent_id: worker.id, action: 'pause' }, 'other')).status).toBe(404);
    const id = await interventionsOf(taskId, { action: 'pause' });
    expect(await stateOf(id, 'other')).toEqual({ status: 404 });
  });

  it('be confirmed under a foreign or stale lease, or for another task', async () => {
    const one = await running();
    const two = await running();
    const id = await interventionsOf(one.taskId, { action: 'pause' });
    const foreign = { ...one.held, lease_token: two.held.lease_token };
    expect((await two.worker.report(foreign, [answer(1, id, 'pause')])).body.code).toBe('lease_lost');
    const invented = { ...one.held, lease_token: randomUUID() };
    expect((await one.worker.report(invented, [answer(1, id, 'pause')])).status).toBe(409);
    // Under its own lease another worker may say what it likes of its own task; it settles nothing of this one.
    expect((await two.worker.report(two.held, [answer(1, id, 'pause')])).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'queued' });
  });

  it('accumulate without a limit', async () => {
    const { worker, held, taskId } = await running();
    const replies: number[] = [];
    for (let i = 0; i < 1050; i += 50) {
      const some = Array.from({ length: 50 }, () => intervene({ task_id: taskId, action: 'message', message: `m` }));
      replies.push(...(await Promise.all(some)).map(({ status }) => status));
    }
    expect(replies.filter((status) => status === 202)).toHaveLength(1000);
    expect(replies.filter((status) => status === 409)).toHaveLength(50);
    const seen = new Set<string>();
    let n = 0;
    await until('all of them', async () => {
      const { interventions } = (await worker.heartbeat([held])).body;
      expect(interventions.length).toBeLessThanOrEqual(100);
      for (const { id } of interventions) seen.add(id);
      const events = interventions.map(({ id }: { id: string }) => answer((n += 1), id, 'message'));
      if (events.length > 0) await worker.report(held, events);
      return interventions.length === 0 ? true : undefined;
    });
    expect(seen.size).toBe(1000);
    expect((await intervene({ task_id: taskId, action: 'cancel' })).status).toBe(202);
  });
});
