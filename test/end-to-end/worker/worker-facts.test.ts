// The real worker reports facts about itself when it registers, and a drain gives it no more tasks.
import { expect, it } from 'vitest';
import { openService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { localWorker, taskIn, waitFor } from '../../support/worker/local-worker.ts';

it('a worker reports missing agents, free disk and system, and finishes its task under a drain [ui-6.15.1, ui-6.15.5]', async () => {
  await using service = await openService();
  await using local = await localWorker(service, { agent_bin: 'command', worker_name: 'facts' });
  const get = async () => (await service.call('GET', `/v1/agent/workers/${local.id}`)).body.worker;
  const worker = await get();
  expect(worker).toMatchObject({ agents: ['command'], agents_missing: [], drained_at: null });
  expect(worker.disk_free).toBeGreaterThan(0);
  expect(worker.os).toMatch(/^Linux |^Darwin /);
  const running = await service.task({ prompt: `touch begun; ${waitFor('go')}; echo done` });
  await taskIn(service, running.id, 'running');
  const path = `/v1/agent/workers/${local.id}/drain`;
  expect((await service.call('POST', path, { as: 'operator', body: {} })).status).toBe(200);
  const waiting = await service.task({ prompt: 'echo never' });
  await service.call('POST', '/v1/monitor/intervene', {
    as: 'operator',
    body: { task_id: running.id, action: 'cancel' },
  });
  await taskIn(service, running.id, 'cancelled');
  await until('its slot is free', async () => (await get()).running === 0);
  expect(await get()).toMatchObject({ status: 'active', drained_at: expect.any(String) });
  expect((await service.call('GET', `/v1/agent/tasks/${waiting.id}`)).body.task.status).toBe('pending');
});
