// /metrics: what a monitoring system reads of a replica.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Metrics } from '../../../src/server/build/metrics.ts';
import { openService, type TestService } from '../../support/service.ts';
import { callerOf, openVerbs } from '../../support/verbs.ts';
import type { QueueDepth } from '../../../src/domain/insight/queue-depth.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function figures(): Promise<Map<string, number>> {
  const { status, headers, body } = await service.call('GET', '/metrics', { as: 'viewer' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  const lines = String(body)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

it('the metrics cover requests, the queue, claims, lost leases, the loop and the pool', async () => {
  const worker = await service.worker();
  await service.task();
  const waiting = await service.task();
  const [held] = await worker.claim();
  if (held === undefined) throw new Error('nothing claimed');
  await service.call('POST', `/v1/agent/tasks/${held.task.id}/cancel`);
  expect((await worker.release(held, { status: 'completed', result: 'late' })).status).toBe(409);
  await service.call('GET', `/v1/agent/tasks/${waiting.id}`, { as: 'other' });
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

it('the metrics cover webhooks, the policy server and the audit', async () => {
  const found = await figures();
  for (const outcome of ['delivered', 'failed', 'dead']) {
    expect(found.get(`switchyard_webhook_attempts_total{kind="webhook",outcome="${outcome}"}`)).toBe(0);
    expect(found.get(`switchyard_webhook_attempts_total{kind="push",outcome="${outcome}"}`)).toBe(0);
  }
  expect(found.get('switchyard_policy_failures_total')).toBe(0);
  expect(found.get('switchyard_audit_writable')).toBe(1);
});

const noDepth: QueueDepth = {
  tasks: { pending: 0, running: 0, needs_input: 0, completed: 0, failed: 0, cancelled: 0 },
  byCodebase: [],
  oldestPendingSeconds: null,
  runs: { pending: 0, running: 0, paused: 0, needs_input: 0, completed: 0, failed: 0, cancelled: 0 },
};

it('what goes wrong is counted by what it is', async () => {
  using metrics = new Metrics({
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    auditWritable: () => false,
  });
  metrics.attempted('webhook', 'failed');
  metrics.attempted('webhook', 'dead');
  metrics.policyFailed();
  const text = await metrics.render({ ...noDepth, runs: { ...noDepth.runs, running: 2 } });
  expect(text).toContain('switchyard_runs{status="running"} 2\n');
  expect(text).toContain('switchyard_webhook_attempts_total{kind="webhook",outcome="failed"} 1\n');
  expect(text).toContain('switchyard_webhook_attempts_total{kind="webhook",outcome="dead"} 1\n');
  expect(text).toContain('switchyard_policy_failures_total 1\n');
  expect(text).toContain('switchyard_audit_writable 0\n');
});

it('due times of cron jobs are counted by the status of their runs, with how late they were [platform-3.2.21]', async () => {
  using metrics = new Metrics({ pool: { totalCount: 0, idleCount: 0, waitingCount: 0 }, auditWritable: () => true });
  metrics.cron.handled('started', 1);
  metrics.cron.handled('missed', 40);
  metrics.cron.lagged(0.7);
  metrics.cron.ended('failed');
  metrics.cron.postponed();
  const text = await metrics.render(noDepth);
  expect(text).toContain('switchyard_cron_due_times_total{status="started"} 1\n');
  expect(text).toContain('switchyard_cron_due_times_total{status="missed"} 40\n');
  expect(text).toContain('switchyard_cron_due_times_total{status="skipped"} 0\n');
  expect(text).toContain('switchyard_cron_lag_seconds_bucket{le="0.5"} 0\n');
  expect(text).toContain('switchyard_cron_lag_seconds_bucket{le="1"} 1\n');
  expect(text).toContain('switchyard_cron_runs_ended_total{status="failed"} 1\n');
  expect(text).toContain('switchyard_cron_failures_total 1\n');
});

it('the queue is measured by state and codebase, and small codebases as one when there are many', async () => {
  const made = await service.call('POST', '/v1/agent/codebases', {
    as: 'operator',
    body: { name: 'small', path: '/small', worker_id: (await service.worker({ name: 'of small' })).id },
  });
  const { codebase_id: small } = made.body.codebase;
  const before = await figures();
  const global = before.get('switchyard_queue_depth{state="pending",codebase="global"}') ?? 0;
  await service.task();
  await service.task();
  await service.task({ codebase_id: small });
  await service.task({ codebase_id: undefined });
  const found = await figures();
  expect(found.get('switchyard_queue_depth{state="pending",codebase="global"}')).toBe(global + 2);
  expect(found.get(`switchyard_queue_depth{state="pending",codebase="${small}"}`)).toBe(1);
  expect(found.get('switchyard_queue_depth{state="pending",codebase="none"}')).toBe(1);
  await using verbs = await openVerbs(service.db);
  const bounded = await verbs.store.within(callerOf('viewer'), (rows) => rows.taskStats.depthByCodebase(1));
  expect(bounded.filter(({ status }) => status === 'pending')).toEqual([
    { status: 'pending', codebase: 'global', tasks: global + 2 },
    { status: 'pending', codebase: 'other', tasks: 2 },
  ]);
});

it('another tenant reads its own queue alone', async () => {
  await service.task();
  const { body } = await service.call('GET', '/metrics', { as: 'other' });
  expect(body).toContain('switchyard_tasks{state="pending"} 0');
});

it('they need monitor:read', async () => {
  expect((await service.call('GET', '/metrics', { token: null })).status).toBe(401);
  const key = await service.call('POST', '/v1/auth/api-keys', {
    as: 'editor',
    body: { name: 'k', scopes: ['tasks:*'] },
  });
  expect((await service.call('GET', '/metrics', { token: key.body.key })).status).toBe(403);
});
