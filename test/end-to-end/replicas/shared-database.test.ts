// Two replicas on one database know the same workers, codebases and sessions, also after both were started anew.
import { expect, it } from 'vitest';
import { openService } from '../../support/service.ts';
import { cloneDatabase } from '../../support/database/database.ts';

it('workers, codebases and sessions registered at one replica are there at the other, and after a restart [core-2.7.16]', async () => {
  await using db = await cloneDatabase();
  await using one = await openService({ db });
  await using two = await openService({ db });
  const worker = await one.worker({ name: 'shared', codebases: [{ name: 'app', path: '/srv/app' }] });
  const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
  const sessions = `/v1/agent/codebases/${codebase}/sessions`;
  const body = {
    worker_id: worker.id,
    sessions: [{ session_id: 's1', title: 'a talk', message_count: 1, tool_usage: {} }],
  };
  expect((await two.call('POST', `${sessions}/sync`, { as: 'agent', body })).status).toBe(200);
  await one.restart();
  for (const service of [one, two]) {
    expect((await service.call('GET', `/v1/agent/workers/${worker.id}`)).body.worker).toMatchObject({ name: 'shared' });
    expect((await service.call('GET', `/v1/agent/codebases/${codebase}`)).body.codebase).toMatchObject({ name: 'app' });
    expect((await service.call('GET', sessions)).body.sessions).toMatchObject([{ session_id: 's1', title: 'a talk' }]);
  }
});
