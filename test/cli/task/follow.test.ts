// Following a task over connections that are cut at random places.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followTaskEvents } from '../../../src/cli/task/follow.ts';
import { createCliServiceClient } from '../../../src/cli/core/service-client.ts';
import type { TaskEventWire } from '../../../src/contracts/event.ts';
import { openService, type TestService } from '../../support/service.ts';
import { cutConnections } from '../../support/process/cut-connections.ts';
import { command } from '../../support/process/cli-io.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

/** A finished task with a log of a few hundred events. */
async function taskWithLog(): Promise<string> {
  const worker = await service.worker({ name: 'writer' });
  const task = await service.task();
  const [assignment] = await worker.claim(1, task.id);
  if (assignment === undefined) throw new Error('not claimed');
  for (let batch = 0; batch < 6; batch += 1) {
    const events = Array.from({ length: 50 }, (_, index) => {
      const n = batch * 50 + index + 1;
      return { type: 'output', n, stream: 'stdout', text: `line ${n} – ü\n` };
    });
    await worker.report(assignment, events);
  }
  await worker.release(assignment, { status: 'completed', result: 'ok' });
  return task.id;
}

describe('following a task', () => {
  it('over a stream that is cut every few kilobytes gives each event of the log once and in order', async () => {
    const taskId = await taskWithLog();
    const log = await service.call('GET', `/v1/agent/tasks/${taskId}/events?limit=1000`);
    await using cut = await cutConnections(service.url, (connection) => 700 + ((connection * 1_237) % 9_000));
    const client = createCliServiceClient({ url: cut.url, token: service.token('viewer') }, { fetch, version: 'test' });
    const seen: TaskEventWire[] = [];
    const { signal } = new AbortController();
    const shownLines: string[] = [];
    for await (const event of followTaskEvents({
      client,
      taskId,
      signal,
      onReconnect: (line) => shownLines.push(line),
      now: Date.now,
    })) {
      seen.push(event);
    }
    expect(seen).toEqual(log.body.events);
    expect(cut.cuts).toBeGreaterThan(3);
    expect(shownLines[0]).toContain('going on from event');
  });

  it('prints what the agent wrote, whole, though the stream was cut on the way', async () => {
    const taskId = await taskWithLog();
    await using cut = await cutConnections(service.url, (connection) => (connection === 0 ? 5_000 : Infinity));
    const { code, out, err } = await command(['logs', '-f', taskId, '--url', cut.url], {
      env: { SWITCHYARD_TOKEN: service.token('viewer') },
    });
    expect(code).toBe(0);
    expect(out).toBe(Array.from({ length: 300 }, (_, index) => `line ${index + 1} – ü\n`).join(''));
    expect(err).toContain('The stream was cut');
  });

  it('ends at once for a task that is not there', async () => {
    const client = createCliServiceClient(
      { url: service.url, token: service.token('viewer') },
      { fetch, version: 'test' },
    );
    const taskId = '01890000-0000-7000-8000-000000000000';
    const { signal } = new AbortController();
    const events = followTaskEvents({ client, taskId, signal, onReconnect: () => undefined, now: Date.now });
    await expect(events.next()).rejects.toThrow('There is no such task.');
  });
});
