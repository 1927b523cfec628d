// Extensions beside the protocol: which of them a call activates, and how the answer names them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { rpcPaths, message, openRpcStream, rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const priority = 'urn:switchyard:a2a:priority:v1';
const threading = 'urn:switchyard:a2a:conversation-threading:v1';
const requested = `${priority} , https://example.com/of-another/v1,${threading},urn:switchyard:a2a:priority:v2,${priority}`;
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
  const activated = { [name]: [priority, threading], [other]: undefined };
  const headers = { [name]: requested };

  it.each(rpcPaths)('gets the active ones on %s, without the unknown ones', async (path) => {
    const send = await rpc(service, 'message/send', { message: message() }, { path, headers });
    expect([send.body.result.kind, named(send.headers)]).toEqual(['task', activated]);
  });

  it('gets them with every kind of answer: v1.0, lists, the card, streams, and REST in each format', async () => {
    const { id } = await sent(service);
    const v10 = { ...headers, 'a2a-version': '1.0' };
    for (const reply of [
      await rpc(service, 'GetTask', { id }, { headers: v10 }),
      await rpc(service, 'tasks/list', {}, { headers }),
      await rpc(service, 'agent/getAuthenticatedExtendedCard', undefined, { headers }),
      await service.call('GET', `/a2a/rest/tasks/${id}`, { as: 'editor', headers }),
      await service.call('GET', `/a2a/rest/tasks/${id}`, { as: 'editor', headers: v10 }),
      await service.call('GET', `/a2a/rest/v1/card`, { as: 'editor', headers }),
      await service.call('DELETE', `/a2a/rest/v1/tasks/${id}/pushNotificationConfigs/none`, { as: 'editor', headers }),
    ]) {
      expect([Math.floor(reply.status / 100), named(reply.headers)]).toEqual([2, activated]);
    }
    await using stream = await openRpcStream(service, 'tasks/resubscribe', { id }, { headers });
    expect(named(stream.headers)).toEqual(activated);
    await rpc(service, 'tasks/cancel', { id });
    const rest = await service.call('GET', `/a2a/rest/v1/tasks/${id}:subscribe`, { as: 'editor', headers });
    expect(named(rest.headers)).toEqual(activated);
  });
});

describe('a call that activates no extension', () => {
  it('is answered, because none is required, and its answer names none', async () => {
    for (const uris of ['', 'https://example.com/of-another/v1']) {
      const headers = { 'a2a-extensions': uris, 'x-a2a-extensions': uris };
      const { body, headers: activated } = await rpc(service, 'message/send', { message: message() }, { headers });
      expect([body.result.kind, named(activated)]).toEqual([
        'task',
        { 'a2a-extensions': undefined, 'x-a2a-extensions': undefined },
      ]);
    }
    const card = await service.call('GET', '/.well-known/agent-card.json');
    const declared: { required?: boolean }[] = card.body.capabilities.extensions;
    expect(declared.filter(({ required }) => required === true)).toEqual([]);
  });
});
