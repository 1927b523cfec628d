// A worker that finds an agent program which is too old for tasks, beside one that is not.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { plantStandIn, standIns } from '../../../support/agents/agent-stand-ins.ts';
import { localWorker, taskIn, workerFolder } from '../../../support/worker/local-worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('a worker with an agent program that is too old', () => {
  it('offers the others, says which works, and fails a task that names it with the reason [choices-5.53]', async () => {
    await using folder = await workerFolder();
    const bin = join(folder.path, 'bin');
    const [claude] = standIns.old;
    const pi = standIns.fit.findLast(({ name }) => name === 'pi');
    if (claude === undefined || pi === undefined) throw new Error('no stand-in');
    const { program } = await plantStandIn(bin, claude);
    await plantStandIn(bin, pi);
    const flags = { agent_bin: undefined, allow_command: false, worker_name: 'half' };
    const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder.path };
    await using worker = await localWorker(service, flags, { env });
    const why = /version 2\.0\.0 is too old: 2\.\d+\.\d+ is the oldest version that works/;
    expect(worker.logged()).toMatch(new RegExp(`claude is not offered: ${why.source}`));
    const { body } = await service.call('GET', '/v1/agent/workers');
    const found = body.workers.find(({ worker_id: id }: { worker_id: string }) => id === worker.id);
    expect(found).toMatchObject({ agents: ['pi'] });

    const any = await service.task({ prompt: 'Do it.' });
    expect(await taskIn(service, any.id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      result: 'Done.',
    });
    const named = await service.task({ prompt: 'Do it.', agent_type: 'claude', max_attempts: 1 });
    const failed = await taskIn(service, named.id, 'completed', 'failed');
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'agent_not_found' } });
    expect(failed.error?.message).toMatch(why);
    expect(failed.error?.message).toContain(program);
    // A target is a worker's own word: nobody offers that agent, so the task waits and says for what.
    const target = await service.task({ prompt: 'Do it.', target_agent: 'claude' });
    const { task } = (await service.call('GET', `/v1/agent/tasks/${target.id}`)).body;
    expect(task).toMatchObject({ status: 'pending', waiting_reason: 'no_such_agent' });
  });
});
