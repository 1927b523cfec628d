// The audit query by task, request and credential: who did what to one task.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeKey } from '../../support/client/credentials.ts';
import { openService, type ApiReply, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const query = (body: Record<string, unknown>): Promise<ApiReply> =>
  service.call('POST', '/v1/audit/query', { as: 'operator', body });
const actionsIn = ({ body }: ApiReply): string[] => body.events.map(({ action }: { action: string }) => action);

it('finds the entries of one task, by its metadata or its resource [ui-6.12.1]', async () => {
  const [task, other] = [await service.task(), await service.task()];
  await service.call('GET', `/v1/agent/tasks/${task.id}`, { as: 'viewer' });
  await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { as: 'editor2' });
  await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`, { as: 'editor' });
  const found = await query({ task_id: task.id });
  expect(actionsIn(found)).toEqual(['tasks.cancel', 'tasks.cancel', 'tasks.get', 'tasks.create']);
  expect(found.body.events.map(({ outcome }: { outcome: string }) => outcome)).toContain('denied');
  expect(JSON.stringify(found.body)).not.toContain(other.id);
  expect(actionsIn(await query({ task_id: task.id, outcome: 'denied' }))).toEqual(['tasks.cancel']);
  const page = await query({ task_id: task.id, limit: 1 });
  expect(actionsIn(await query({ task_id: task.id, limit: 3, cursor: page.body.next_cursor }))).toEqual(
    actionsIn(found).slice(1),
  );
  expect(await query({ task_id: 'nonsense' })).toMatchObject({ status: 400 });
});

it('finds the entry of one request, and those of one credential [ui-6.12.1]', async () => {
  const { id, key } = await makeKey(service, 'editor');
  const created = await service.call('POST', '/v1/agent/tasks', {
    token: key,
    body: { title: 't', prompt: 'p', codebase_id: 'global' },
  });
  const [entry] = (await query({ task_id: created.body.task.id })).body.events;
  expect(entry.metadata).toMatchObject({ credential: `key:${id}` });
  const byRequest = await query({ request_id: entry.metadata.request_id });
  expect(byRequest.body.events).toEqual([entry]);
  expect(actionsIn(await query({ credential: `key:${id}` }))).toEqual(['tasks.create']);
  expect(actionsIn(await query({ credential: `token:"nobody"` }))).toEqual([]);
});

it('another tenant finds nothing of it [ui-6.12.1]', async () => {
  const task = await service.task();
  const foreign = await service.call('POST', '/v1/audit/query', { as: 'other', body: { task_id: task.id } });
  expect(foreign.body.events).toEqual([]);
});
