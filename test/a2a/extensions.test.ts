// Extensions beside the protocol: which of them a call activates, and how it is told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';
import { doors, message, openStream, rpc, sent } from './support.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

const priority = 'urn:switchyard:a2a:priority:v1';
const threading = 'urn:switchyard:a2a:conversation-threading:v1';
const asked = `${priority} , https://example.com/of-another/v1,${threading},urn:switchyard:a2a:priority:v2,${priority}`;
const headerNames = ['a2a-extensions', 'x-a2a-extensions'];

/** The extensions that an answer names, by header. */
function named(headers: Headers): Record<string, string[] | undefined> {
  return Object.fromEntries(
    headerNames.map((name) => [
      name,
      headers
        .get(name)
        ?.split(',')
        .map((uri) => uri.trim()),
    ]),
  );
}

describe.each(headerNames)('a call that names extensions in %s', (name) => {
  const other = headerNames.find((header) => header !== name) ?? '';
  const told = { [name]: [priority, threading], [other]: undefined };
  const headers = { [name]: asked };

  it.each(doors)('is told on %s which of them are active, the unknown ones left out', async (path) => {
    const send = await rpc(house, 'message/send', { message: message() }, { path, headers });
    expect([send.body.result.kind, named(send.headers)]).toEqual(['task', told]);
  });

  it('is told so by every kind of answer: v1.0, lists, the card, streams, and REST in its dialects', async () => {
    const { id } = await sent(house);
    const v10 = { ...headers, 'a2a-version': '1.0' };
    for (const reply of [
      await rpc(house, 'GetTask', { id }, { headers: v10 }),
      await rpc(house, 'tasks/list', {}, { headers }),
      await rpc(house, 'agent/getAuthenticatedExtendedCard', undefined, { headers }),
      await house.call('GET', `/a2a/rest/tasks/${id}`, { as: 'editor', headers }),
      await house.call('GET', `/a2a/rest/tasks/${id}`, { as: 'editor', headers: v10 }),
      await house.call('GET', `/a2a/rest/v1/card`, { as: 'editor', headers }),
      await house.call('DELETE', `/a2a/rest/v1/tasks/${id}/pushNotificationConfigs/none`, { as: 'editor', headers }),
    ]) {
      expect([Math.floor(reply.status / 100), named(reply.headers)]).toEqual([2, told]);
    }
    await using stream = await openStream(house, 'tasks/resubscribe', { id }, { headers });
    expect(named(stream.headers)).toEqual(told);
    await rpc(house, 'tasks/cancel', { id });
    const rest = await house.call('GET', `/a2a/rest/v1/tasks/${id}:subscribe`, { as: 'editor', headers });
    expect(named(rest.headers)).toEqual(told);
  });
});

describe('a call that activates no extension', () => {
  it('is answered all the same, for none is required, and names none', async () => {
    for (const uris of ['', 'https://example.com/of-another/v1']) {
      const headers = { 'a2a-extensions': uris, 'x-a2a-extensions': uris };
      const { body, headers: told } = await rpc(house, 'message/send', { message: message() }, { headers });
      expect([body.result.kind, named(told)]).toEqual([
        'task',
        { 'a2a-extensions': undefined, 'x-a2a-extensions': undefined },
      ]);
    }
    const card = await house.call('GET', '/.well-known/agent-card.json');
    const declared: { required?: boolean }[] = card.body.capabilities.extensions;
    expect(declared.filter(({ required }) => required === true)).toEqual([]);
  });
});
