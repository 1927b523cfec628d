// The official clients of both lines, unmodified, over both bindings: what each can ask, and that all get equal answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ManualWorker, type TestService } from '../../support/service.ts';
import { clientVariants, openOfficialClient, type OfficialClient } from '../../support/a2a/official-clients.ts';
import { claimed } from '../../support/a2a/client.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService({ config: { egressAllow: ['127.0.0.1'] } });
  worker = await service.worker();
});
afterAll(() => service[Symbol.asyncDispose]());

describe.each(clientVariants)('the official client of %s', (line) => {
  let client: OfficialClient;
  beforeAll(async () => {
    client = await openOfficialClient(service, line);
  });

  it('finds the service by its card; sends, gets and cancels [core-1.1.2, core-1.1.3, choices-6.13]', async () => {
    const sent = await client.send('from a stranger', { contextId: `talk ${line}` });
    expect(sent).toMatchObject({ state: 'submitted', contextId: `talk ${line}` });
    expect(await client.get(sent.id)).toEqual(sent);
    expect(await client.cancel(sent.id)).toEqual({ ...sent, state: 'canceled' });
    await expect(client.cancel(sent.id)).rejects.toThrow(/already cancelled|cannot be canceled/i);
    expect(await client.extendedSkills()).toContain('codebase:global');
  });

  it('waits for an outcome, answers a question, and gets the artifacts [choices-2.29]', async () => {
    const first = await client.send('first');
    await worker.release(await claimed(worker, first.id), { status: 'needs_input', message: { text: 'which?' } });
    expect(await client.get(first.id)).toMatchObject({ state: 'input-required', statusText: 'which?' });
    const waiting = client.send('this one', { taskId: first.id, contextId: first.contextId }, true);
    let held = await worker.claim(1, first.id).catch(() => []);
    while (held.length === 0) held = await worker.claim(1, first.id).catch(() => []);
    const [assignment] = held;
    if (assignment === undefined) throw new Error('nothing claimed');
    const artifacts = [{ name: 'notes', text: 'a note' }];
    await worker.release(assignment, { status: 'completed', result: 'that, then', artifacts });
    expect(await waiting).toMatchObject({ id: first.id, state: 'completed', statusText: 'that, then', artifacts: 1 });
    await expect(client.send('more', { taskId: first.id, contextId: first.contextId })).rejects.toThrow(
      /already completed|not supported/i,
    );
  });

  it('streams a task to its end [core-6.2.3]', async () => {
    const updates: string[] = [];
    for await (const { id, what } of client.stream('stream this')) {
      updates.push(what);
      if (!what.startsWith('task')) continue;
      const held = await claimed(worker, id);
      await worker.report(held, [
        { type: 'output', n: 1, stream: 'agent', text: 'thinking' },
        { type: 'artifact', n: 2, name: 'notes', text: 'a note' },
      ]);
      await worker.release(held, { status: 'completed', result: 'done' });
    }
    expect(updates).toEqual(['task submitted', 'status working', 'status working', 'artifact', 'status completed']);
  });

  it('resubscribes to a task after disconnecting', async () => {
    const { id } = await client.send('leave and come back');
    const held = await claimed(worker, id);
    for await (const { what } of client.resubscribe(id)) {
      expect(what).toBe('task working');
      break;
    }
    const updates: string[] = [];
    for await (const { what } of client.resubscribe(id)) {
      if (updates.length === 0) await worker.release(held, { status: 'completed' });
      updates.push(what);
    }
    expect(updates).toEqual(['task working', 'status completed']);
  });

  it('sets, lists and deletes push configs', async () => {
    const { id } = await client.send('tell me');
    const push = { id: 'mine', url: 'http://127.0.0.1:8099/push' };
    expect(await client.setPush(id, push)).toMatchObject(push);
    expect(await client.listPush(id)).toEqual([push]);
    await client.deletePush(id, 'mine');
    expect(await client.listPush(id)).toEqual([]);
  });

  it('gets errors for a missing task, for another’s task, and without a permission', async () => {
    const missing = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
    await expect(client.get(missing)).rejects.toThrow(/no such task|Task not found/i);
    const { id } = await client.send('not yours');
    const other = await openOfficialClient(service, line, 'other');
    await expect(other.get(id)).rejects.toThrow(/no such task|Task not found/i);
    await expect(other.cancel(id)).rejects.toThrow(/no such task|Task not found/i);
    // The older JSON-RPC client reads no error where it waits for a stream.
    await expect(other.resubscribe(id).next()).rejects.toThrow(/no such task|Task not found|Content-Type/i);
    await expect((await openOfficialClient(service, line, 'viewer')).send('may I?')).rejects.toThrow(/403|permission/i);
  });
});
