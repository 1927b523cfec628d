// A run goes on as long as its owner may act: a disabled owner or a revoked credential pauses it. runs-18.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId, openRunSite, prdDocument, type RunSite } from '../../../support/runs/new-run.ts';
import { scriptStepWorker } from '../../../support/runs/scripted-step-worker.ts';
import { openService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
let site: RunSite;
beforeAll(async () => {
  service = await openService();
  site = await openRunSite(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const createdWith = async (token: string): Promise<string> => {
  const body = { codebase_id: site.codebaseId, prd: prdDocument() };
  const reply = await service.call('POST', '/v1/ralph/runs', { token, body });
  expect(reply.status).toBe(201);
  return reply.body.run_id;
};
const newKey = async (body: Record<string, unknown> = {}): Promise<{ id: string; key: string }> => {
  const reply = await service.call('POST', '/v1/auth/api-keys', { as: 'admin', body: { name: 'ci', ...body } });
  return { id: reply.body.api_key.id, key: reply.body.key };
};
const revoke = async (keyId: string): Promise<void> => {
  expect((await service.call('DELETE', `/v1/auth/api-keys/${keyId}`, { as: 'admin' })).status).toBe(200);
};
const expectRun = async (runId: string, status: string, waiting_reason?: string): Promise<void> => {
  const run = await until(`run ${runId} is ${status}`, async () => {
    const { body } = await service.call('GET', `/v1/ralph/runs/${runId}`);
    return body.run.status === status && body.run.waiting_reason === waiting_reason && body.run;
  });
  expect(run.error).toBeNull();
};

describe('a run whose owner may act no more', () => {
  it('is paused when the key that created it is revoked, and its owner retries it by another credential [runs-18.5]', async () => {
    const { id, key } = await newKey();
    const runId = await createdWith(key);
    const other = await newRunId(service, { codebase_id: site.codebaseId }, 'admin');
    const worker = scriptStepWorker(service, site);
    const { assignment } = await worker.claimStep('implement');
    await revoke(id);
    await expectRun(runId, 'paused', 'owner_disabled');
    expect((await service.call('GET', `/v1/ralph/runs/${other}`)).body.run.status).toBe('running');
    await worker.release(assignment, { failed: { code: 'agent_error', message: 'enough' } });
    await service.call('POST', `/v1/ralph/runs/${other}/cancel`, { as: 'admin', body: {} });
    const resumed = await service.call('POST', `/v1/ralph/runs/${runId}/resume`, { as: 'admin', body: {} });
    expect(resumed.body.run).toMatchObject({ status: 'paused', waiting_reason: 'owner_disabled' });
    await service.call('POST', `/v1/ralph/runs/${runId}/cancel`, { as: 'admin', body: {} });
    const again = await service.call('POST', `/v1/ralph/runs/${runId}/retry`, { as: 'admin', body: {} });
    expect(await worker.workUntil(again.body.run_id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
  });

  it('is paused when the key that opened its session is revoked [runs-18.5]', async () => {
    const { id, key } = await newKey();
    const session = await service.call('POST', '/v1/auth/sessions', { token: key, body: {} });
    const runId = await createdWith(session.body.access_token);
    await expectRun(runId, 'running');
    await revoke(id);
    await expectRun(runId, 'paused', 'owner_disabled');
    expect((await service.call('POST', `/v1/ralph/runs/${runId}/cancel`, { as: 'admin', body: {} })).status).toBe(200);
  });

  it('is paused while its owner has lost the role for it, and goes on by itself with the role [runs-18.5, choices-4.66]', async () => {
    const put = (role: string): Promise<unknown> =>
      service.call('PUT', '/v1/auth/users/bea', { as: 'admin', body: { roles: [role] } });
    await put('editor');
    const runId = await createdWith((await newKey({ user_id: 'bea' })).key);
    await expectRun(runId, 'running');
    await put('viewer');
    await expectRun(runId, 'paused', 'owner_disabled');
    const resumed = await service.call('POST', `/v1/ralph/runs/${runId}/resume`, { as: 'admin', body: {} });
    expect(resumed.body.run).toMatchObject({ status: 'paused', waiting_reason: 'owner_disabled' });
    await put('editor');
    await expectRun(runId, 'running');
    await service.call('POST', `/v1/ralph/runs/${runId}/cancel`, { as: 'admin', body: {} });
  });

  it('is paused while its owner is disabled, and goes on by itself afterwards [runs-18.5]', async () => {
    const put = (status: string): Promise<unknown> =>
      service.call('PUT', '/v1/auth/users/ada', { as: 'admin', body: { roles: ['editor'], status } });
    await put('active');
    const runId = await createdWith((await newKey({ user_id: 'ada' })).key);
    await expectRun(runId, 'running');
    await put('disabled');
    await expectRun(runId, 'paused', 'owner_disabled');
    await put('active');
    await expectRun(runId, 'running');
    await service.call('DELETE', '/v1/auth/users/ada', { as: 'admin' });
    await expectRun(runId, 'paused', 'owner_disabled');
    expect((await service.call('POST', `/v1/ralph/runs/${runId}/cancel`, { as: 'admin', body: {} })).status).toBe(200);
  });
});

it('an admin may own a run in another tenant', async () => {
  const there = await openRunSite(service, 'there', 'other');
  const headers = { 'x-tenant-id': 'other' };
  const body = { codebase_id: there.codebaseId, prd: prdDocument() };
  const { run_id: runId } = (await service.call('POST', '/v1/ralph/runs', { as: 'admin', headers, body })).body;
  const run = await until('it is at work', async () => {
    const { body: answer } = await service.call('GET', `/v1/ralph/runs/${runId}`, { as: 'other' });
    return answer.run.status === 'running' && answer.run;
  });
  expect(run.created_by).toBe('token:admin');
});
