// Webhooks of tasks: each end of a task is delivered once, durably, to its receiver, and a failing receiver harms no other.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { listDeliveries, redeliver, setWebhookSecrets } from '../../../src/domain/webhooks/deliveries.ts';
import type { Delivery } from '../../../src/domain/model/delivery.ts';
import { openService, type ManualWorker, type TestService, type TestUser } from '../../support/service.ts';
import { callerOf, openVerbs, type Verbs } from '../../support/verbs.ts';
import { until } from '../../support/until.ts';
import { openReceiver, type Receiver } from '../../support/peers/webhook-receiver.ts';

const secret = 'a secret of this installation'.replaceAll(' ', '-');
const second = `whsec_${Buffer.from('the second secret, thirty-two by').toString('base64')}`;

let service: TestService;
let verbs: Verbs;
let receiver: Receiver;
let worker: ManualWorker;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openService({
    config: {
      egressAllow: ['127.0.0.1'],
      webhookBackoffSeconds: 0.02,
      webhookSecrets: [secret, second],
      leaseSeconds: 10,
    },
  });
  verbs = await openVerbs(service.db);
  worker = await service.worker();
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function taskFor(path: string, fields: Record<string, unknown> = {}, as: TestUser = 'editor') {
  return service.task({ webhook_url: `${receiver.url}${path}`, ...fields }, as);
}

async function held(taskId: string, by = worker): Promise<AssignmentWire> {
  const [assignment] = await by.claim(1, taskId);
  if (assignment === undefined) throw new Error('not claimed');
  return assignment;
}

/** A task that ends at once. */
async function cancelled(path: string, fields: Record<string, unknown> = {}, as: TestUser = 'editor'): Promise<string> {
  const { id } = await taskFor(path, fields, as);
  const reply = await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as });
  expect(reply.status).toBe(200);
  return id;
}

const deliveriesOf = async (taskId: string, tenant = 'default'): Promise<readonly Delivery[]> =>
  (await listDeliveries(verbs, callerOf('viewer', tenant), taskId, { limit: 50, before: undefined })).items;

async function ended(taskId: string, tenant = 'default'): Promise<Delivery> {
  return until(`the end of the delivery for ${taskId}`, async () => {
    const [delivery] = await deliveriesOf(taskId, tenant);
    return delivery !== undefined && delivery.status !== 'pending' && delivery;
  });
}

const sender = { wake: (): void => {} };

describe('the webhook of a finished task', () => {
  it('has the payload of the document, in the bytes that are stored [core-1.4, core-2.10.1, core-2.10.2, core-2.10.3, core-2.10.4, core-2.10.5, core-2.10.6, core-2.10.7, core-6.1, choices-8.8, choices-8.13]', async () => {
    const made = await taskFor('/payload');
    await worker.release(await held(made.id), { status: 'completed', result: 'it is "done" ä\n' });
    const [arrival] = await receiver.arrived('/payload');
    const task = (await service.call('GET', `/v1/agent/tasks/${made.id}`)).body.task;
    expect(arrival?.json).toEqual({
      event: 'task_completed',
      run_id: made.run_id,
      task_id: made.id,
      status: 'completed',
      result: 'it is "done" ä\n',
      error: null,
      timestamp: task.completed_at,
    });
    expect(arrival?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'switchyard/1.2.0' });
    const [row] = await service.db.query<{ body: string }>('select body from deliveries where task_id = $1', [made.id]);
    expect(arrival?.bytes.equals(Buffer.from(row?.body ?? ''))).toBe(true);
  });

  it('is signed over those bytes: as the document says, and under every secret for Standard Webhooks [choices-1.40, choices-8.1, choices-8.3]', async () => {
    await cancelled('/signed');
    const [arrival] = await receiver.arrived('/signed');
    const { headers = {}, bytes = Buffer.alloc(0) } = arrival ?? {};
    expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`);
    expect(Math.abs(Number(headers['x-service-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    for (const library of [new Webhook(secret, { format: 'raw' }), new Webhook(second)]) {
      expect(library.verify(bytes.toString(), headers)).toMatchObject({ event: 'task_completed' });
    }
  });

  it('reports each way in which a task ends, exactly once [core-6.1.3, choices-8.12]', async () => {
    const error = { code: 'x', message: 'it broke' };
    const ways: [string, (path: string) => Promise<string>, object][] = [
      [
        'completed',
        async (path) => await finish(path, { status: 'completed', result: 'ok' }),
        { result: 'ok', error: null },
      ],
      ['failed', (path) => finish(path, { status: 'failed', error }), { result: null, error: 'it broke' }],
      ['cancelled', (path) => finish(path, { status: 'cancelled' }), {}],
      ['cancelled', (path) => cancelled(path), { result: null, error: null }],
      ['cancelled', cancelRunning, {}],
      ['cancelled', cancelAsking, {}],
      ['failed', passDeadline, { error: 'The deadline of this task passed before it was done.' }],
      ['failed', loseLease, {}],
      ['failed', giveBackTooOften, {}],
    ];
    for (const [i, [status, end, rest]] of ways.entries()) {
      const path = `/ways/${i}`;
      const id = await end(path);
      const [arrival] = await receiver.arrived(path);
      expect(arrival?.json).toMatchObject({ task_id: id, status, ...rest });
      await ended(id);
      expect(receiver.on(path)).toHaveLength(1);
      expect(await deliveriesOf(id)).toHaveLength(1);
    }
  });

  async function finish(path: string, release: Record<string, unknown>): Promise<string> {
    const { id } = await taskFor(path);
    const assignment = await held(id);
    await worker.release(assignment, release);
    // An equal repeat changes nothing.
    await worker.release(assignment, release);
    return id;
  }
  async function cancelRunning(path: string): Promise<string> {
    const { id } = await taskFor(path);
    await held(id);
    await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'editor' });
    return id;
  }
  async function cancelAsking(path: string): Promise<string> {
    const { id } = await taskFor(path);
    await worker.release(await held(id), { status: 'needs_input', message: { text: 'which?' } });
    await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'editor' });
    return id;
  }
  async function passDeadline(path: string): Promise<string> {
    const { id } = await taskFor(path, { deadline_at: '2100-01-01T00:00:00Z' });
    await service.db.query('update tasks set deadline_at = now() where id = $1', [id]);
    return id;
  }
  async function loseLease(path: string): Promise<string> {
    const { id } = await taskFor(path, { max_attempts: 1 });
    const assignment = await held(id);
    // The worker names its lease, so that the attempt counts, and stops.
    await worker.report(assignment, [{ type: 'progress', n: 1 }]);
    await service.db.query('update tasks set lease_expires_at = now() where id = $1', [id]);
    return id;
  }
  async function giveBackTooOften(path: string): Promise<string> {
    const { id } = await taskFor(path);
    await service.db.query('update tasks set releases = 19 where id = $1', [id]);
    await worker.release(await held(id), { status: 'pending' });
    return id;
  }

  it('is not sent for a task without one, nor before its end', async () => {
    const without = await service.task();
    await service.call('POST', `/v1/agent/tasks/${without.id}/cancel`, { as: 'editor' });
    const needsInput = await taskFor('/asking');
    await worker.release(await held(needsInput.id), { status: 'needs_input', message: { text: 'which?' } });
    expect(await deliveriesOf(without.id)).toEqual([]);
    expect(await deliveriesOf(needsInput.id)).toEqual([]);
  });
});

describe('a receiver that fails', () => {
  it('is tried three times with growing pauses under one id and the same bytes, then the delivery is dead [core-6.1.2, core-8.3, choices-8.10]', async () => {
    const id = await cancelled('/answer-500');
    const delivery = await ended(id);
    expect(delivery).toMatchObject({ status: 'dead', kind: 'webhook', url: `${receiver.url}/answer-500` });
    expect(delivery.attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual(
      Array.from({ length: 3 }, () => [500, 'answered 500']),
    );
    const arrivals = receiver.on('/answer-500');
    expect(arrivals).toHaveLength(3);
    expect(new Set(arrivals.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.id]));
    expect(new Set(arrivals.map(({ bytes }) => bytes.toString())).size).toBe(1);
  });

  it('is shown with every attempt to readers of the task, while its event log stays closed by the terminal event [choices-8.7]', async () => {
    const id = await cancelled('/answer-500/shown');
    await ended(id);
    const { status, body } = await service.call('GET', `/v1/automation/tasks/${id}/deliveries`, { as: 'viewer' });
    expect([status, body.deliveries]).toEqual([200, [expect.objectContaining({ status: 'dead' })]]);
    expect(body.deliveries[0].attempts).toEqual(
      Array.from({ length: 3 }, () => ({ at: expect.any(String), status_code: 500, error: 'answered 500' })),
    );
    const log = await service.call('GET', `/v1/agent/tasks/${id}/events`, { as: 'viewer' });
    expect(log.body.events.at(-1)).toMatchObject({ type: 'status', data: { status: 'cancelled' } });
  });

  it.each([
    ['/reset', null, 'the connection broke off'],
    ['/redirect', 302, 'answered 302: redirects are not followed'],
    ['/garbage', null, 'the answer was not HTTP'],
    ['/answer-410', 410, 'answered 410'],
  ])('by %s has its attempts listed with their errors [choices-8.7, choices-8.9]', async (path, statusCode, error) => {
    const delivery = await ended(await cancelled(path));
    expect(delivery.status).toBe('dead');
    expect(delivery.attempts).toEqual(
      Array.from({ length: 3 }, () => ({ at: expect.stringMatching(/^\d{4}-.*Z$/), statusCode, error })),
    );
    expect(receiver.on('/decoy')).toEqual([]);
  });

  it.each(['/answer-500-once', '/reset-once'])('once (%s) has it the next time', async (path) => {
    const delivery = await ended(await cancelled(path));
    expect(delivery.status).toBe('delivered');
    expect(delivery.attempts).toHaveLength(2);
    expect(delivery.attempts.at(-1)).toMatchObject({ statusCode: 204, error: null });
  });

  it.each(['/endless', '/short'])(
    'in its answer’s body alone (%s) is delivered: the status has arrived',
    async (path) => {
      expect(await ended(await cancelled(path))).toMatchObject({
        status: 'delivered',
        attempts: [{ statusCode: 200 }],
      });
    },
  );

  it('and the same delivery asked for again: sent with the same bytes and id, until it is dead again [choices-8.11]', async () => {
    const id = await cancelled('/answer-500/again');
    const delivery = await ended(id);
    const owner = callerOf('editor');
    const again = await redeliver({ ...verbs, sender }, owner, id, delivery.id);
    expect(again).toMatchObject({ id: delivery.id, status: 'pending', attempts: delivery.attempts });
    // The hint that the verb gives its own process is the next task's here.
    const dead = await ended(await cancelled('/wake')).then(() => ended(id));
    expect(dead.attempts).toHaveLength(6);
    const arrivals = receiver.on('/answer-500/again');
    expect(new Set(arrivals.map(({ headers, bytes }) => `${headers['webhook-id']} ${bytes.toString()}`)).size).toBe(1);
  });

  it('is asked for again only by who may, and not while it is pending', async () => {
    const id = await cancelled('/answer-500/owner');
    const delivery = await ended(id);
    const requestRedelivery = (caller: ReturnType<typeof callerOf>, deliveryId = delivery.id) =>
      redeliver({ ...verbs, sender }, caller, id, deliveryId);
    await expect(requestRedelivery(callerOf('editor', 'default', 'token:editor2'))).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await expect(requestRedelivery(callerOf('operator', 'other'))).rejects.toMatchObject({ kind: 'not_found' });
    await expect(requestRedelivery(callerOf('operator'), id)).rejects.toMatchObject({ code: 'delivery_not_found' });
    await service.db.query(`update deliveries set status = 'pending', due_at = 'infinity' where delivery_id = $1`, [
      delivery.id,
    ]);
    await expect(requestRedelivery(callerOf('operator'))).rejects.toMatchObject({ code: 'delivery_pending' });
  });
});

describe('a slow receiver', () => {
  it('holds up nobody else, and has no more than a few requests at once', async () => {
    const slow = await openReceiver();
    try {
      for (let i = 0; i < 30; i += 1) {
        const task = await service.task({ webhook_url: `${slow.url}/hang` });
        await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { as: 'editor' });
      }
      await until('the slow one is at its bound', () => slow.open.now === 16);
      await cancelled('/beside-a-slow-one');
      await receiver.arrived('/beside-a-slow-one');
      expect(slow.open.most).toBe(16);
    } finally {
      await service.db.query(`update deliveries set status = 'dead' where url like '%/hang'`);
      await slow[Symbol.asyncDispose]();
    }
  });
});

describe('tenants', () => {
  it('see their own deliveries alone', async () => {
    const theirs = await cancelled('/theirs', {}, 'other');
    await ended(theirs, 'other');
    await expect(deliveriesOf(theirs)).rejects.toMatchObject({ kind: 'not_found' });
    const [own] = await verbs.store.within({ tenantId: 'default' }, (rows) =>
      rows.deliveries.list(theirs, { limit: 1, after: undefined }),
    );
    expect(own).toBeUndefined();
  });

  it('have secrets of their own in place of the installation’s, two valid at once [choices-8.4]', async () => {
    const [older, newer] = [
      'the-older-secret',
      `whsec_${Buffer.from('the newer secret of this tenant').toString('base64')}`,
    ];
    await setWebhookSecrets(verbs, callerOf('admin', 'other'), 'other', [newer, older]);
    await cancelled('/tenant-signed', {}, 'other');
    const [arrival] = await receiver.arrived('/tenant-signed');
    const { headers = {}, bytes = Buffer.alloc(0) } = arrival ?? {};
    for (const library of [new Webhook(older, { format: 'raw' }), new Webhook(newer)])
      library.verify(bytes.toString(), headers);
    expect(() => new Webhook(second).verify(bytes.toString(), headers)).toThrow('No matching');
    expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', newer).update(bytes).digest('hex')}`);
    await setWebhookSecrets(verbs, callerOf('admin', 'other'), 'other', []);
    await cancelled('/tenant-unsigned', {}, 'other');
    const [later] = await receiver.arrived('/tenant-unsigned');
    new Webhook(second).verify(later?.bytes.toString() ?? '', later?.headers ?? {});
    await expect(setWebhookSecrets(verbs, callerOf('admin'), 'default', ['a b'])).rejects.toThrow('/secret must be');
  });
});

describe('an address', () => {
  it('that is private is refused at creation, with a sentence that helps [choices-8.6]', async () => {
    for (const url of [
      'http://10.0.0.1/x',
      'http://2130706434/',
      'http://user:word@example.com/',
      'ftp://example.com/x',
    ]) {
      const body = { title: 't', prompt: 'p', codebase_id: 'global', webhook_url: url };
      const reply = await service.call('POST', '/v1/agent/tasks', { as: 'editor', body });
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: '/webhook_url' }] },
      });
      expect(JSON.stringify(reply.body)).not.toContain('word@');
    }
  });

  it('that is refused only when it is sent to leaves a dead delivery that says so, and nothing arrives', async () => {
    const { id } = await taskFor('/never');
    // As a name that resolves to a private address would come out of the resolver.
    await service.db.query('update tasks set webhook_url = $2 where id = $1', [
      id,
      `http://127.0.0.2:${receiver.port}/never`,
    ]);
    await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'editor' });
    const delivery = await ended(id);
    expect(delivery.status).toBe('dead');
    expect(delivery.attempts[0]).toMatchObject({ statusCode: null, error: expect.stringContaining('EGRESS_ALLOW') });
    expect(receiver.on('/never')).toEqual([]);
  });
});

it('deliveries go with their task when its time is over', async () => {
  const id = await cancelled('/old');
  await ended(id);
  const old = '01000000' + id.slice(8);
  await service.db.query(
    `with d as (update deliveries set task_id = $2 where task_id = $1)
     update tasks set id = $2, completed_at = now() - interval '60 days' where id = $1`,
    [id, old],
  );
  await verbs.store.within({ tenantId: 'default' }, (rows) => rows.taskMoves.dropFinished(30, 100));
  expect(await service.db.query(`select from deliveries where url like '%/old'`)).toEqual([]);
});
