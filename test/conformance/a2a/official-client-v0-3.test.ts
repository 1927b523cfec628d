// The official client of the 0.3 line, unmodified, against the service.
import {
  A2AClient,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from 'a2a-v03/client';
import type { Message, Task } from 'a2a-v03';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ManualWorker, type TestService } from '../../support/service.ts';
import { claimed } from '../../support/a2a/client.ts';

let service: TestService;
let worker: ManualWorker;
let client: Client;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker();
  client = await clientFor('editor');
});
afterAll(() => service[Symbol.asyncDispose]());

function withToken(token: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
}

function clientFor(who: 'editor' | 'viewer' | 'other'): Promise<Client> {
  const fetchImpl = withToken(service.token(who));
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return new ClientFactory(options).createFromUrl(service.url);
}

let messages = 0;
function message(text: string, fields: Partial<Message> = {}): Message {
  messages += 1;
  return { kind: 'message', messageId: `s-${messages}`, role: 'user', parts: [{ kind: 'text', text }], ...fields };
}

function aTask(result: Message | Task): Task {
  if (result.kind !== 'task') throw new Error('not a task');
  return result;
}

async function send(text: string, fields: Partial<Message> = {}): Promise<Task> {
  return aTask(await client.sendMessage({ message: message(text, fields), configuration: { blocking: false } }));
}

describe('the official client of the 0.3 line', () => {
  it('finds the service by its card, and sends, gets and cancels a task [core-1.1, core-9.1]', async () => {
    expect(await client.getAgentCard()).toMatchObject({ protocolVersion: '0.3.0', capabilities: { streaming: true } });
    const task = await send('from a stranger');
    expect(task.status.state).toBe('submitted');
    expect(await client.getTask({ id: task.id, historyLength: 1 })).toMatchObject({
      id: task.id,
      history: [{ role: 'user' }],
    });
    expect((await client.cancelTask({ id: task.id })).status.state).toBe('canceled');
    await expect(client.cancelTask({ id: task.id })).rejects.toThrow(/cannot be canceled/);
  });

  it('sends and waits for the outcome by default', async () => {
    const task = await send('first', { contextId: 'waiting' });
    await worker.release(await claimed(worker, task.id), { status: 'needs_input', message: { text: 'which?' } });
    const answering = client.sendMessage({ message: message('this', { taskId: task.id, contextId: 'waiting' }) });
    let held = await worker.claim(1);
    while (held.length === 0) held = await worker.claim(1);
    const [assignment] = held;
    if (assignment === undefined) throw new Error('nothing claimed');
    await worker.release(assignment, { status: 'completed', result: 'that, then' });
    expect(aTask(await answering)).toMatchObject({
      id: task.id,
      status: { state: 'completed', message: { parts: [{ text: 'that, then' }] } },
    });
  });

  it('streams a task to its end', async () => {
    const kinds: string[] = [];
    for await (const event of client.sendMessageStream({ message: message('stream this') })) {
      kinds.push(event.kind === 'status-update' ? `${event.status.state}${event.final ? '!' : ''}` : event.kind);
      if (event.kind !== 'task') continue;
      const held = await claimed(worker, event.id);
      await worker.report(held, [
        { type: 'output', n: 1, stream: 'agent', text: 'thinking' },
        { type: 'artifact', n: 2, name: 'notes', text: 'a note' },
      ]);
      await worker.release(held, { status: 'completed', result: 'done' });
    }
    expect(kinds).toEqual(['task', 'working', 'working', 'artifact-update', 'completed!']);
  });

  it('resubscribes to a task after disconnecting', async () => {
    const task = await send('leave and come back');
    const held = await claimed(worker, task.id);
    for await (const event of client.resubscribeTask({ id: task.id })) {
      expect(event).toMatchObject({ kind: 'task', status: { state: 'working' } });
      break;
    }
    await worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text: 'meanwhile' }]);
    const states: string[] = [];
    for await (const event of client.resubscribeTask({ id: task.id })) {
      if (event.kind === 'task') await worker.release(held, { status: 'completed' });
      if (event.kind === 'task' || event.kind === 'status-update') states.push(event.status.state);
    }
    expect(states).toEqual(['working', 'completed']);
  });

  it('gets errors for a missing task and a missing permission', async () => {
    await expect(client.getTask({ id: 'nothing' })).rejects.toThrow(/Task not found/);
    const stranger = await clientFor('other');
    const task = await send('not yours');
    await expect(stranger.getTask({ id: task.id })).rejects.toThrow(/Task not found/);
    const viewer = await clientFor('viewer');
    await expect(viewer.sendMessage({ message: message('may I?') })).rejects.toThrow(/403/);
  });

  it('works through its older interface too', async () => {
    const older = await A2AClient.fromCardUrl(`${service.url}/.well-known/agent.json`, {
      fetchImpl: withToken(service.token('editor')),
    });
    const answer = await older.sendMessage({ message: message('the old way'), configuration: { blocking: false } });
    if (!('result' in answer)) throw new Error('refused');
    expect(answer.result).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
  });
});
