// A push channel that is half-open: the service writes tasks into it, and nothing arrives. A free worker has them within
// its poll interval and a second all the same.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { FrontProxy } from '../../support/peers/front-proxy.ts';
import { until } from '../../support/until.ts';
import { localWorker, outputOf, script, statusesOf, taskIn } from '../../support/worker/local-worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const pollSeconds = 5;
/** Without the worker's own polls a task would wait until its lease ends, which takes a minute. */
const longestWaitMs = 30_000;

/** Milliseconds from the task to the first word of its run, by the database's clock. */
async function waitedMs(taskId: string): Promise<number> {
  const [row] = await service.db.query<{ ms: number }>(
    `select (extract(epoch from min(e.at) - min(t.created_at)) * 1000)::float8 as ms
     from tasks t join task_events e on e.tenant_id = t.tenant_id and e.task_id = t.id
     where t.id = $1 and e.type <> 'status'`,
    [taskId],
  );
  return row?.ms ?? Number.POSITIVE_INFINITY;
}

it('a task put into a channel whose connection was lost without a word is not lost with it [choices-5.73]', async () => {
  await using proxy = await FrontProxy.start([Number(new URL(service.url).port)]);
  await using local = await localWorker(service, { server_url: proxy.url, poll_interval: pollSeconds });
  await until('it stands', () => local.logged().includes('push channel open'));
  // The idle connection that the registration left in the pool is as dead as the channel.
  proxy.stall();
  const task = await service.task({ prompt: script('echo here') });
  await taskIn(service, task.id, 'completed');
  expect(await outputOf(service, task.id)).toContain('here');
  expect(await waitedMs(task.id)).toBeLessThanOrEqual(longestWaitMs);
  expect(await statusesOf(service, task.id)).toEqual(['pending', 'running', 'completed']);
});

it('tasks reach a worker behind a proxy that holds every stream back, by its polls [choices-5.73]', async () => {
  // The proxy takes the frames that the service sends into a stream, and passes none on.
  const holdsBack: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const response = await fetch(input, init);
    if (!pathname.endsWith('/tasks/stream')) return response;
    const swallowed = response.body?.pipeTo(new WritableStream()).catch(() => undefined);
    return new Response(new ReadableStream({ start: (out) => void swallowed?.then(() => out.close()) }));
  };
  await using _local = await localWorker(service, { slots: 2, poll_interval: pollSeconds }, { fetch: holdsBack });
  const tasks = await Promise.all([1, 2].map((n) => service.task({ prompt: script(`echo ${n}`) })));
  for (const { id } of tasks) {
    await taskIn(service, id, 'completed');
    expect(await waitedMs(id)).toBeLessThanOrEqual(longestWaitMs);
    expect(await statusesOf(service, id)).toEqual(['pending', 'running', 'completed']);
  }
});
