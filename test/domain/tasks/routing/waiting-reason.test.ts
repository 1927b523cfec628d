// The waiting reason in the answer of a submit: the cached workers are never older than their last change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let service: TestService;
let replica: TestService;
beforeAll(async () => {
  service = await openService();
  replica = await openService({ db: service.db });
});
afterAll(async () => {
  await replica[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const path = '/v1/agent/codebases';

describe('the reason in the answer of a submit', () => {
  it('reflects a worker that was registered before, and one that was unregistered', async () => {
    expect(await service.task()).toMatchObject({ waiting_reason: 'no_worker_for_codebase' });
    const worker = await service.worker();
    expect(await service.task()).toMatchObject({ waiting_reason: 'claimable' });
    await service.call('POST', `/v1/agent/workers/${worker.id}/unregister`, { as: 'agent', body: {} });
    expect(await service.task()).toMatchObject({ waiting_reason: 'no_worker_for_codebase' });
  });

  it('reflects a codebase that a worker has bound since', async () => {
    const worker = await service.worker();
    const made = await service.call('POST', path, {
      as: 'agent',
      body: { name: 'later', path: '/later', worker_id: worker.id },
    });
    expect(made.status).toBe(201);
    const { codebase_id } = made.body.codebase;
    expect(await service.task({ codebase_id })).toMatchObject({ waiting_reason: 'claimable' });
    await service.call('POST', `/v1/agent/workers/${worker.id}/unregister`, { as: 'agent', body: {} });
  });

  it('reflects a worker that another replica registered', async () => {
    expect(await replica.task()).toMatchObject({ waiting_reason: 'no_worker_for_codebase' });
    await service.worker();
    await until('the other replica knows the worker', async () => {
      const task = await replica.task();
      return task.waiting_reason === 'claimable';
    });
  });

  it("says nothing of another tenant's workers", async () => {
    await service.worker();
    expect(await service.task()).toMatchObject({ waiting_reason: 'claimable' });
    expect(await service.task({}, 'other')).toMatchObject({ waiting_reason: 'no_worker_for_codebase' });
  });
});
