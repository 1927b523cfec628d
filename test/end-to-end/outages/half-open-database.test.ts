// Connections to the database that are left half-open: nothing arrives on them any more, and nobody says so.
import { expect, it } from 'vitest';
import { socketFile } from '../../../src/adapters/postgres/embedded/address.ts';
import { openService } from '../../support/service.ts';
import { cloneDatabase } from '../../support/database/database.ts';
import { FrontProxy } from '../../support/peers/front-proxy.ts';
import { until } from '../../support/until.ts';

it('half-open connections to the database are given up, and the service goes on over new ones', async () => {
  await using own = await cloneDatabase();
  const { host, port } = own.service;
  await using proxy = await FrontProxy.start([host.startsWith('/') ? { path: socketFile(host) } : port]);
  const db = { ...own, service: { ...own.service, host: '127.0.0.1', port: proxy.port } };
  await using service = await openService({ db });
  await service.task({ title: 'before' });
  proxy.stall();

  const key = { 'idempotency-key': 'once' };
  const body = { title: 'after', prompt: 'do it', codebase_id: 'global' };
  const taken = await until('a task taken again', async () => {
    const reply = await service.call('POST', '/v1/agent/tasks', { as: 'editor', body, headers: key });
    if (reply.status === 503) return undefined;
    return reply;
  });
  expect(taken.status).toBe(201);
  const titles = await own.query('select title from tasks order by created_at');
  expect(titles).toEqual([{ title: 'before' }, { title: 'after' }]);
}, 240_000);
