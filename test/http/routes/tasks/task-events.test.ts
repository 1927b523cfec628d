// The log of a task over HTTP: windows from its start and its end, some types alone, who added a message.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';

let service: TestService;
let id: string;
beforeAll(async () => {
  service = await openService();
  const worker = await service.worker();
  id = (await service.task({ codebase_id: 'global' })).id;
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error('the task was not claimed');
  const output = (n: number) => ({ type: 'output', n, stream: 'agent', text: `line ${n}\n` });
  const message = { type: 'message', n: 3, role: 'agent', parts: [{ text: 'half done' }] };
  await worker.report(held, [output(1), output(2), message, output(4), output(5)]);
  await worker.release(held, { status: 'needs_input', message: { text: 'Go on?' } });
  await service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'operator', body: { message: 'Yes.' } });
});
afterAll(() => service[Symbol.asyncDispose]());

interface WireEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: { readonly by?: string; readonly role?: string };
}

async function read(query: string): Promise<{ events: WireEvent[]; next: number }> {
  const { status, body } = await service.call('GET', `/v1/agent/tasks/${id}/events?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

describe('the events of a task', () => {
  it('are read from their end, before one and after one, in order [ui-6.4.8]', async () => {
    const all = (await read('limit=1000')).events;
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect((await read('tail=3')).events).toEqual(all.slice(-3));
    expect((await read(`before=${all.length}&limit=2`)).events).toEqual(all.slice(-3, -1));
    expect((await read('after=2&limit=2')).events).toEqual(all.slice(2, 4));
    expect((await read('after=2&limit=2')).next).toBe(4);
  });

  it('are read of some types alone, from either end [ui-6.4.8]', async () => {
    const chosen = (await read('limit=1000')).events.filter(({ type }) => type === 'message' || type === 'status');
    expect((await read('types=message,status&tail=1000')).events).toEqual(chosen);
    expect((await read('types=message,status&limit=2')).events).toEqual(chosen.slice(0, 2));
    expect((await read('types=message,status&tail=2')).events).toEqual(chosen.slice(-2));
  });

  it('name who added a message, and nobody for the words of the agent [ui-6.4.9]', async () => {
    const { events } = await read('types=message&tail=10');
    expect(events.map(({ data: { role, by } }) => [role, by])).toEqual([
      ['agent', undefined],
      ['user', 'token:operator'],
    ]);
  });

  it('refuse windows that exclude each other, unknown types, and a window of a stream', async () => {
    const path = `/v1/agent/tasks/${id}/events`;
    for (const query of ['after=1&tail=2', 'after=1&before=2', 'types=gossip', 'tail=0', 'tail=1001']) {
      expect([query, (await service.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
    }
    const headers = { accept: 'text/event-stream' };
    const { status, body } = await service.call('GET', `${path}?tail=2`, { headers });
    expect([status, body.errors[0].path]).toEqual([400, '/query/tail']);
  });
});
