// One tenant's flood does not keep another's task waiting: it starts while the flood is still deep.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openService, type TestService } from '../support/service.ts';
import { assertInvariants } from '../support/database/invariants.ts';
import { openStream } from '../support/client/sse.ts';

const full = process.env['SCALE'] === 'full';
const depth = full ? 10_000 : 1_000;
const samples = full ? 200 : 40;

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? NaN;
}

/** Milliseconds from each submit to the moment at which its worker has it, one after the other. */
async function startTimes(): Promise<number[]> {
  const worker = await service.worker({ name: 'b', slots: 1 }, 'other');
  await using stream = await openStream(service, `/v1/worker/tasks/stream?worker_id=${worker.id}&slots=1`, {
    as: 'other',
  });
  await stream.take('connected');
  const times: number[] = [];
  for (let i = 0; i < samples; i++) {
    const beganMs = performance.now();
    const task = await service.task({}, 'other');
    const { data } = await stream.take('task_assigned');
    times.push(performance.now() - beganMs);
    if (data.task.id !== task.id) throw new Error('another task came first');
    await worker.release(data, { status: 'completed' });
  }
  return times;
}

/** The tenant `default` submits and works all the time, `depth` tasks ahead of its worker. */
async function submitFlood(signal: AbortSignal): Promise<void> {
  const worker = await service.worker({ name: 'a', slots: 4 });
  const works = async (): Promise<void> => {
    while (!signal.aborted) {
      const held = await worker.claim(4);
      await Promise.all(held.map((one) => worker.release(one, { status: 'completed' })));
    }
  };
  const submits = async (): Promise<void> => {
    while (!signal.aborted) await service.task();
  };
  await Promise.all([works(), submits(), submits(), submits()]);
}

async function pending(): Promise<number> {
  const [row] = await service.db.query<{ n: string }>(
    `select count(*) as n from tasks where tenant_id = 'default' and status = 'pending'`,
  );
  return Number(row?.n);
}

it(`a task of one tenant starts while another tenant's queue is ${depth} deep, at rest and growing`, async () => {
  const empty = p95(await startTimes());
  for (let i = 0; i < depth; i += 50) await Promise.all(Array.from({ length: 50 }, () => service.task()));
  const deep = p95(await startTimes());
  const over = new AbortController();
  const flooding = submitFlood(over.signal);
  const flooded = p95(await startTimes());
  // All of its tasks started, one by one, and the other's queue is as deep as ever.
  expect(await pending()).toBeGreaterThan(depth / 2);
  over.abort();
  await flooding;
  const [row] = await service.db.query<{ started: string }>(
    `select count(started_at) as started from tasks where tenant_id = 'other' and status = 'completed'`,
  );
  expect(Number(row?.started)).toBe(3 * samples);
  // For the record; how fast is the benchmark's matter.
  const times = (ms: number): string => `${ms.toFixed(1)} ms (${(ms / empty).toFixed(2)})`;
  process.stdout.write(
    `submit to start, p95, as a ratio to an empty queue: ${times(empty)} empty, ${times(deep)} beside ${depth} of another tenant, ${times(flooded)} while that one submits and works without a pause\n`,
  );
}, 300_000);
