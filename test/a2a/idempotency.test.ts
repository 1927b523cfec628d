// Idempotency-Key on message/send and message/stream: a repeated call is answered again, and makes nothing new.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';
import { claimed, message, openStream, rpc } from './support.ts';

let house: House;
let keys = 0;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

const key = () => ({ 'idempotency-key': `key-${(keys += 1)}` });

describe('a send with Idempotency-Key', () => {
  it('makes one task, answered anew with each call’s own id [choices-6.11, choices-9.3, choices-9.4, choices-9.10]', async () => {
    const headers = key();
    const params = { message: message() };
    const first = await rpc(house, 'message/send', params, { headers, id: 1 });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await rpc(house, 'tasks/cancel', { id: first.body.result.id });
    const again = await rpc(house, 'message/send', params, { headers, id: 'two' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toMatchObject({
      id: 'two',
      result: { id: first.body.result.id, status: { state: 'canceled' } },
    });
    expect(again.body.result.contextId).toBe(first.body.result.contextId);
  });

  it('is one task for the same messageId only with the key [choices-6.11]', async () => {
    const params = { message: message() };
    const ids = new Set<string>();
    for (let i = 0; i < 2; i += 1) ids.add((await rpc(house, 'message/send', params)).body.result.id);
    expect(ids.size).toBe(2);
  });

  it('may lack what the door makes up, and is the same call still', async () => {
    const headers = key();
    const params = { message: { parts: [{ type: 'text', content: 'once' }] } };
    const call = () => rpc(house, 'message/send', params, { headers, path: '/' });
    const [one, two] = [await call(), await call()];
    expect(two.body.result.task.id).toBe(one.body.result.task.id);
  });

  it('refuses the key for another meaning, in the protocol’s words [choices-3.4]', async () => {
    const headers = key();
    await rpc(house, 'message/send', { message: message('this') }, { headers });
    const other = await rpc(house, 'message/send', { message: message('that') }, { headers });
    expect(other).toMatchObject({
      status: 200,
      body: { error: { code: -32602, data: { code: 'idempotency_key_reused' } } },
    });
  });

  it('is another call on another path, by another method, of another caller [choices-9.2]', async () => {
    const headers = key();
    const params = { message: message() };
    const answers = [
      await rpc(house, 'message/send', params, { headers }),
      await rpc(house, 'message/send', params, { headers, path: '/v1/a2a' }),
      await rpc(house, 'message/send', params, { headers, as: 'operator' }),
      await rpc(house, 'message/send', params, { headers, as: 'other' }),
    ];
    expect(new Set(answers.map(({ body }) => body.result.id)).size).toBe(4);
  });

  it('is refused with a key that is none [choices-9.1]', async () => {
    for (const bad of ['', 'x'.repeat(256), 'caf\u00e9']) {
      const { body } = await rpc(
        house,
        'message/send',
        { message: message() },
        { headers: { 'idempotency-key': bad } },
      );
      expect(body.error.code).toBe(-32602);
    }
  });

  it('answers equal calls at the same time with one task [choices-9.6]', async () => {
    const headers = key();
    const params = { message: message() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => rpc(house, 'message/send', params, { headers })));
    expect(new Set(answers.map(({ body }) => body.result.id)).size).toBe(1);
  });
});

describe('a stream with Idempotency-Key', () => {
  it('subscribes when it is repeated, and goes on behind Last-Event-ID [choices-9.10]', async () => {
    const headers = key();
    const params = { message: message() };
    const worker = await house.worker();
    await using first = await openStream(house, 'message/stream', params, { headers });
    const task = (await first.next())?.data.result;
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const held = await claimed(worker, task.id);
    await worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text: 'hm' }]);
    await using again = await openStream(house, 'message/stream', params, { headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await again.next())?.data.result).toMatchObject({
      kind: 'task',
      id: task.id,
      status: { state: 'working' },
    });
    await worker.release(held, { status: 'completed' });
    expect((await again.rest()).map(({ id }) => id)).toEqual(['4']);
    await using cut = await openStream(house, 'message/stream', params, {
      headers: { ...headers, 'last-event-id': '2' },
    });
    expect((await cut.rest()).map(({ id }) => id)).toEqual(['3', '4']);
  });
});
