// The limit of artifact bytes per task is exact, also under concurrent reports.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { openService, type ManualWorker, type TestService, type ApiReply } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const maxTaskArtifactBytes = 1000;
let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService({ config: { maxTaskArtifactBytes } });
  worker = await service.worker({ slots: 50 });
});
afterAll(() => service[Symbol.asyncDispose]());

async function assigned(): Promise<AssignmentWire> {
  const { id } = await service.task();
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('not claimed');
  return held;
}

const artifact = (bytes: number, name = 'a'): Record<string, unknown> => ({
  name,
  mime_type: 'text/plain',
  text: 'x'.repeat(bytes),
});
const event = (n: number, bytes: number, name = 'a'): unknown => ({ type: 'artifact', n, ...artifact(bytes, name) });

/** Bytes of artifacts in a task's log, and the task's own counter of them. */
async function bytesOf({ task }: AssignmentWire): Promise<{ logged: number; counted: number }> {
  const [row] = await service.db.query(
    `select t.artifact_bytes::int as counted, (select coalesce(sum(length(e.data->>'text')), 0)::int from task_events e
       where e.task_id = t.id and e.type = 'artifact') as logged from tasks t where t.id = $1`,
    [task.id],
  );
  return { logged: Number(row?.['logged']), counted: Number(row?.['counted']) };
}

function expectFull(reply: ApiReply): void {
  expect(reply).toMatchObject({ status: 409, body: { code: 'artifacts_full' } });
}

describe('a task', () => {
  it('accepts artifacts up to the last byte of the limit, and nothing of a report beyond it [choices-9.15]', async () => {
    const held = await assigned();
    expect((await worker.report(held, [event(1, 600), event(2, 400, 'b')])).status).toBe(200);
    expectFull(
      await worker.report(held, [{ type: 'output', stream: 'stdout', n: 3, text: 'not kept' }, event(4, 1, 'c')]),
    );
    expect(await bytesOf(held)).toEqual({ logged: 1000, counted: 1000 });
    // Events without artifacts are still accepted, with the number that was refused; a repeat is not counted again.
    expect((await worker.report(held, [{ type: 'output', stream: 'stdout', n: 3, text: 'kept' }])).status).toBe(200);
    expect((await worker.report(held, [event(1, 600), event(2, 400, 'b')])).status).toBe(200);
    const { body } = await service.call('GET', `/v1/agent/tasks/${held.task.id}/events`);
    expect(JSON.stringify(body.events)).not.toContain('not kept');
    expect(await bytesOf(held)).toEqual({ logged: 1000, counted: 1000 });
    expect((await worker.release(held, { status: 'completed' })).status).toBe(200);
  });

  it('counts replaced and appended artifacts too: all of them stay in the log [choices-9.15]', async () => {
    const held = await assigned();
    for (let n = 1; n <= 5; n += 1) expect((await worker.report(held, [event(n, 200)])).status).toBe(200);
    expectFull(await worker.report(held, [event(6, 1)]));
    expect((await worker.release(held, { status: 'failed' })).status).toBe(200);
  });

  it.each(['completed', 'failed', 'pending', 'needs_input'])(
    'refuses a release as %s with too many bytes, and accepts it with fewer, with the same audit [choices-9.15]',
    async (status) => {
      const held = await assigned();
      const ends = { status, ...(status === 'needs_input' ? { message: { text: 'and now?' } } : {}) };
      await worker.report(held, [event(1, 400)]);
      expectFull(await worker.release(held, { ...ends, artifacts: [artifact(300, 'b'), artifact(301, 'c')] }));
      const { body } = await service.call('GET', `/v1/agent/tasks/${held.task.id}`);
      expect(body.task.status).toBe('running');
      expect(await bytesOf(held)).toEqual({ logged: 400, counted: 400 });
      const less = { ...ends, artifacts: [artifact(300, 'b'), artifact(300, 'c')] };
      expect((await worker.release(held, less)).status).toBe(200);
      expect(await bytesOf(held)).toEqual({ logged: 1000, counted: 1000 });
      const outcomes = await until('both in the audit', async () => {
        const query = { action: 'workers.release', resource: `/v1/worker/tasks/${held.task.id}/release` };
        const page = await service.call('POST', '/v1/audit/query', { body: query });
        return page.body.events.length === 2 && page.body.events.map(({ outcome }: { outcome: string }) => outcome);
      });
      expect(outcomes).toEqual(['success', 'failure']);
    },
  );

  it('accepts only one of a concurrent report and release that exceed the limit together [choices-9.15]', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => assigned()));
    await Promise.all(
      all.map(async (held) => {
        const [report, release] = await Promise.all([
          worker.report(held, [event(1, 600)]),
          worker.release(held, { status: 'completed', artifacts: [artifact(600, 'b')] }),
        ]);
        expect([report.status, release.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
        expect(await bytesOf(held)).toEqual({ logged: 600, counted: 600 });
      }),
    );
  });
});
