// /metrics: what a monitoring system reads of a replica.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

async function figures(): Promise<Map<string, number>> {
  const { status, headers, body } = await house.call('GET', '/metrics', { as: 'viewer' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  const lines = String(body)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

it('the figures tell of requests, the queue, claims, lost leases, the loop and the pool', async () => {
  const worker = await house.worker();
  await house.task();
  const waiting = await house.task();
  const [held] = await worker.claim();
  if (held === undefined) throw new Error('nothing claimed');
  await house.call('POST', `/v1/agent/tasks/${held.task.id}/cancel`);
  expect((await worker.release(held, { status: 'completed', result: 'late' })).status).toBe(409);
  await house.call('GET', `/v1/agent/tasks/${waiting.id}`, { as: 'other' });
  const found = await figures();
  expect(found.get('switchyard_requests_total{operation="tasks.create",status="201"}')).toBe(2);
  expect(found.get('switchyard_requests_total{operation="tasks.get",status="404"}')).toBe(1);
  expect(found.get('switchyard_requests_total{operation="workers.release",status="409"}')).toBe(1);
  expect(found.get('switchyard_tasks{state="pending"}')).toBe(1);
  expect(found.get('switchyard_tasks{state="cancelled"}')).toBe(1);
  expect(found.get('switchyard_oldest_pending_seconds')).toBeGreaterThan(0);
  expect(found.get('switchyard_claims_total')).toBe(1);
  expect(found.get('switchyard_leases_lost_total')).toBe(1);
  expect(found.get('switchyard_task_start_seconds_count')).toBe(1);
  expect(found.get('switchyard_pool_connections{state="open"}')).toBeGreaterThan(0);
  expect(found.get('switchyard_pool_waiting{pool="requests"}')).toBe(0);
  expect(found.get('switchyard_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
});

it('another tenant reads its own queue alone', async () => {
  await house.task();
  const { body } = await house.call('GET', '/metrics', { as: 'other' });
  expect(body).toContain('switchyard_tasks{state="pending"} 0');
});

it('they need monitor:read', async () => {
  expect((await house.call('GET', '/metrics', { token: null })).status).toBe(401);
  const key = await house.call('POST', '/v1/auth/api-keys', { as: 'editor', body: { name: 'k', scopes: ['tasks:*'] } });
  expect((await house.call('GET', '/metrics', { token: key.body.key })).status).toBe(403);
});
