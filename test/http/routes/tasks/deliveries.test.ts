// Deliveries and signing secrets over HTTP: permissions, redelivery, and what is never shown.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply, type TestUser } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { openReceiver, type Receiver } from '../../../support/peers/webhook-receiver.ts';

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openService({ config: { egressAllow: ['127.0.0.1'], webhookBackoffSeconds: 0.02 } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function cancelled(path: string, as: TestUser = 'editor'): Promise<string> {
  const body = { title: 't', description: 'd', webhook_url: `${receiver.url}${path}` };
  const made = await service.call('POST', '/v1/automation/tasks', { as, body });
  expect(made.status).toBe(201);
  await service.call('DELETE', `/v1/automation/tasks/${made.body.task_id}`, { as });
  return made.body.task_id;
}

const listed = (taskId: string, as: TestUser = 'viewer'): Promise<ApiReply> =>
  service.call('GET', `/v1/automation/tasks/${taskId}/deliveries`, { as });

/** The one delivery of a task when it has ended. */
async function ended(taskId: string): Promise<ApiReply['body']> {
  const [row] = await until('the end of a delivery', async () => {
    const rows = await service.db.query<{ status: string }>('select status from deliveries where task_id = $1', [
      taskId,
    ]);
    return rows[0] !== undefined && rows[0].status !== 'pending' && rows;
  });
  expect(row).toBeDefined();
  return (await listed(taskId)).body.deliveries[0];
}

describe('GET /v1/automation/tasks/{id}/deliveries', () => {
  it('lists the deliveries of a task with every attempt [core-2.4.5, choices-8.7, choices-8.11]', async () => {
    const id = await cancelled('/answer-500-once');
    expect(await ended(id)).toEqual({
      delivery_id: expect.any(String),
      kind: 'webhook',
      status: 'delivered',
      url: `${receiver.url}/answer-500-once`,
      created_at: expect.any(String),
      attempts: [
        { at: expect.any(String), status_code: 500, error: 'answered 500' },
        { at: expect.any(String), status_code: 204, error: null },
      ],
    });
  });

  it('of another tenant’s task is a 404 like a missing one, and so is its redelivery', async () => {
    const id = await cancelled('/foreign');
    const { delivery_id: deliveryId } = await ended(id);
    const again = `/v1/automation/tasks/${id}/deliveries/${deliveryId}/redeliver`;
    expect(await listed(id, 'other')).toMatchObject({ status: 404, body: { code: 'task_not_found' } });
    expect(await service.call('POST', again, { as: 'other' })).toMatchObject({ status: 404 });
    expect(await service.call('POST', again, { as: 'viewer' })).toMatchObject({ status: 403 });
    expect(await service.call('POST', again, { as: 'editor2' })).toMatchObject({ status: 403 });
  });

  it('shows only the host of a push notification’s URL', async () => {
    const configuration = { pushNotificationConfig: { url: `${receiver.url}/hidden-path?key=hidden` } };
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'do it' }] };
    const params = { message, configuration };
    const sent = await service.call('POST', '/a2a/jsonrpc', {
      as: 'editor',
      body: { jsonrpc: '2.0', id: 1, method: 'message/send', params },
    });
    const { id } = sent.body.result;
    await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'editor' });
    await receiver.arrived('/hidden-path?key=hidden');
    expect(await ended(id)).toMatchObject({ kind: 'push', status: 'delivered', url: receiver.url });
  });
});

describe('POST …/deliveries/{delivery_id}/redeliver', () => {
  it('sends it again under its id, at once', async () => {
    const id = await cancelled('/again');
    const before = await ended(id);
    const path = `/v1/automation/tasks/${id}/deliveries/${before.delivery_id}/redeliver`;
    const reply = await service.call('POST', path, { as: 'editor' });
    expect(reply).toMatchObject({
      status: 202,
      body: { delivery: { delivery_id: before.delivery_id, status: 'pending' } },
    });
    const [first, second] = await receiver.arrived('/again', 2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect((await ended(id)).attempts).toHaveLength(2);
  });

  it('of an unknown delivery is a 404', async () => {
    const id = await cancelled('/missing');
    for (const deliveryId of [id, 'nonsense']) {
      const path = `/v1/automation/tasks/${id}/deliveries/${deliveryId}/redeliver`;
      expect((await service.call('POST', path, { as: 'operator' })).status).toBe(404);
    }
  });
});

describe('PUT /v1/auth/tenants/{id}/webhook-secret', () => {
  const put = (tenantId: string, body: unknown, as: TestUser = 'otheradmin', headers = {}): Promise<ApiReply> =>
    service.call('PUT', `/v1/auth/tenants/${tenantId}/webhook-secret`, { as, body, headers });

  it('signs the tenant’s webhooks from then on, and returns no secret [choices-8.4]', async () => {
    const secret = `whsec_${Buffer.from('a secret of this tenant alone').toString('base64')}`;
    const list = `${secret},an-older-one`;
    expect(await put('other', { secret: list })).toMatchObject({
      status: 200,
      body: { tenant_id: 'other', secrets: 2 },
    });
    await cancelled('/by-tenant', 'other');
    const [arrival] = await receiver.arrived('/by-tenant');
    expect(new Webhook(secret).verify(arrival?.bytes.toString() ?? '', arrival?.headers ?? {})).toBeDefined();
    expect(await put('other', { secret: '' })).toMatchObject({ body: { secrets: 0 } });
    await cancelled('/by-nobody', 'other');
    const [later] = await receiver.arrived('/by-nobody');
    expect(later?.headers).not.toHaveProperty('webhook-signature');
  });

  it('needs an admin, in the tenant of the call', async () => {
    const body = { secret: 'anything-at-all' };
    expect((await put('other', body, 'other')).status).toBe(403);
    expect((await put('other', body, 'admin')).status).toBe(404);
    expect((await put('default', body, 'otheradmin')).status).toBe(404);
    expect((await put('other', body, 'admin', { 'x-tenant-id': 'other' })).status).toBe(200);
    expect((await put('other', { secret: '' })).status).toBe(200);
  });

  it('rejects an invalid secret without quoting it', async () => {
    for (const secret of ['with blank', 'whsec_%%', 'one,,two', 'a,b,c,d,e,f']) {
      const reply = await put('other', { secret });
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: '/secret' }] } });
      expect(JSON.stringify(reply.body)).not.toContain(secret);
    }
  });
});

it('no operation manages subscriptions: a task names its receiver, and the end of a task is the only event [core-6.1.4]', () => {
  const paths = service.instance.operations.map(({ path }) => path);
  expect(paths.filter((path) => /subscription|hooks\b/.test(path))).toEqual([]);
  const webhooks = receiver.arrivals.filter(({ json }) => json.event !== undefined);
  expect(webhooks.length).toBeGreaterThan(0);
  expect(new Set(webhooks.map(({ json }) => json.event))).toEqual(new Set(['task_completed']));
});
