// An agent that counts tokens by session: a task that goes on in a session has its own part alone.
import { expect, it } from 'vitest';
import { openService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { localWorker, taskIn, workerFolder } from '../../support/worker/local-worker.ts';
import { plantCodex } from '../../support/agents/fake-codex.ts';

it('a session gone on with brings its tools, and each task its own tokens [core-2.7.20, choices-3.79]', async () => {
  await using service = await openService();
  await using folder = await workerFolder();
  const { program, env } = await plantCodex(folder.path);
  const flags = { worker_name: 'counts', agent_bin: program, allow_command: false };
  const sessions = '/v1/agent/codebases/global/sessions';
  const worker = (): Promise<Awaited<ReturnType<typeof localWorker>>> =>
    localWorker(service, flags, { env: { PATH: process.env['PATH'], ...env } });
  const first = await service.task({ prompt: 'The first.', conversation_id: 'talk' });
  {
    await using one = await worker();
    expect(await taskIn(service, first.id, 'completed', 'failed')).toMatchObject({ usage: { input_tokens: 100 } });
    await one.worker.drain();
  }
  const used = { input_tokens: 100, cached_tokens: 0, output_tokens: 10 };
  const reportedUsage = { tool_usage: { file_change: 1 }, metadata: { agent_session_usage: used } };
  expect((await service.call('GET', `${sessions}/talk`)).body.session).toMatchObject(reportedUsage);
  await using two = await worker();
  const { body } = await service.call('POST', `${sessions}/talk/resume`, { body: { prompt: 'The second.' } });
  const second = await taskIn(service, body.task.id, 'completed', 'failed');
  expect(second).toMatchObject({ usage: { input_tokens: 100, output_tokens: 10 } });
  expect(second.result).toMatch(/^Done in thread-\d+$/);
  expect(second.result).toBe((await service.call('GET', `/v1/agent/tasks/${first.id}`)).body.task.result);
  await two.worker.drain();
  const all = await until('the session with both', async () => {
    const { session } = (await service.call('GET', `${sessions}/talk`)).body;
    return session.metadata.agent_session_usage?.input_tokens === 200 && session;
  });
  expect(all).toMatchObject({ agent: 'codex', metadata: { agent_session_usage: { output_tokens: 20 } } });
});
