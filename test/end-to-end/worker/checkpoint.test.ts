// Long tasks leave checkpoints, and an attempt after a lost lease begins where the last one stood. choices-5.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import {
  endLease,
  outputOf,
  repository,
  script,
  statusesOf,
  taskIn,
  workerFolder,
} from '../../support/worker/local-worker.ts';
import { workerProcess } from '../../support/worker/worker-process.ts';

interface Event {
  readonly type: string;
  readonly data: { readonly data: unknown };
}

describe('a worker that is killed -9', () => {
  it('leaves the next attempt the last checkpoint, in the claimed task and in a file [choices-5.25]', async () => {
    await using service = await openService();
    await using folder = await workerFolder();
    const machine = await repository(join(folder.path, 'machine'));
    const env = { A2A_WORKER_NAME: 'mortal', A2A_WORKER_KILL_GRACE_SECONDS: '1' };
    const prompt = script(
      'if [ -e "$SWITCHYARD_CHECKPOINT" ]; then',
      '  echo "goes on from $(cat "$SWITCHYARD_CHECKPOINT")"; echo "{\\"step\\": 3}" > "$SWITCHYARD_CHECKPOINT"; exit 0',
      'fi',
      'echo "begins"',
      'for step in 1 2; do',
      '  echo "{\\"step\\": $step, \\"note\\": \\"half <way> & on\\"}" > "$SWITCHYARD_CHECKPOINT.new"',
      '  mv "$SWITCHYARD_CHECKPOINT.new" "$SWITCHYARD_CHECKPOINT"',
      '  sleep 3',
      'done',
      'sleep 300',
    );
    const task = await service.task({ prompt });
    const checkpoints = async (): Promise<unknown[]> => {
      const { events } = (await service.call('GET', `/v1/agent/tasks/${task.id}/events?limit=1000`)).body;
      return events.filter(({ type }: Event) => type === 'checkpoint').map(({ data }: Event) => data.data);
    };
    {
      await using first = workerProcess(service, machine, env);
      await until('two checkpoints', async () => (await checkpoints()).length === 2);
      first.signal('SIGKILL');
      await first.ended;
    }
    await endLease(service, task.id);
    await using _second = workerProcess(service, machine, env);
    expect(await taskIn(service, task.id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 2 });
    expect(await outputOf(service, task.id)).toBe('begins\ngoes on from {"note":"half <way> & on","step":2}\n');
    expect(await checkpoints()).toEqual([
      { step: 1, note: 'half <way> & on' },
      { step: 2, note: 'half <way> & on' },
      { step: 3 },
    ]);
    expect(await statusesOf(service, task.id)).toEqual(['pending', 'running', 'pending', 'running', 'completed']);
  });
});

describe('a checkpoint', () => {
  it('goes with the next claim, the last one alone; one that is too large is refused', async () => {
    await using service = await openService();
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('not claimed');
    expect(held.task).not.toHaveProperty('checkpoint');
    await worker.report(held, [
      { type: 'checkpoint', n: 1, data: { at: 1 } },
      { type: 'output', n: 2, stream: 'agent', text: 'x' },
      { type: 'checkpoint', n: 3, data: ['two', null, '\u202e</script>'] },
    ]);
    const large = await worker.report(held, [{ type: 'checkpoint', n: 4, data: 'x'.repeat(300_000) }]);
    expect(large).toMatchObject({ status: 400, body: { errors: [{ path: '/events/0/data' }] } });
    await worker.release(held, { status: 'pending' });
    await service.db.query('delete from task_holds where task_id = $1', [task.id]);
    const [next] = await worker.claim(1, task.id);
    expect(next?.task.checkpoint).toEqual({ data: ['two', null, '\u202e</script>'], at: expect.any(String) });
    if (next !== undefined) await worker.report(next, [{ type: 'checkpoint', n: 1, data: null }]);
    if (next !== undefined) await worker.release(next, { status: 'pending' });
    await service.db.query('delete from task_holds where task_id = $1', [task.id]);
    const [last] = await worker.claim(1, task.id);
    expect(last?.task.checkpoint).toEqual({ data: null, at: expect.any(String) });
  });
});
