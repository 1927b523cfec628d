// The agent card: what discovery shows of the service.
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import canonicalize from 'canonicalize';
import { flattenedVerify, importJWK } from 'jose';
import { createPublicKey, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';
import { protoFaults } from '../../../support/a2a/proto-schema.ts';
import { faults, message, rpc } from '../../../support/a2a/client.ts';

const paths = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the agent card', () => {
  it.each(paths)('is served at %s, valid as v0.3 [core-1.1.2, core-1.15, core-4.1.1, core-9.1]', async (path) => {
    const { status, body } = await service.call('GET', path, { as: 'viewer' });
    expect(status).toBe(200);
    expect(faults('AgentCard', body)).toEqual([]);
    expect(body).toMatchObject({ protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' });
    expect(body.additionalInterfaces).toContainEqual({ url: body.url, transport: 'JSONRPC' });
  });

  it('has name, description, version, capabilities and skills [core-2.2.1, core-2.2.2, core-2.2.4, core-2.2.5]', async () => {
    const { body } = await service.call('GET', '/.well-known/agent-card.json');
    expect(body).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    // [core-9.3, choices-1.62]
    expect(body.version).toBe('1.2.0');
    expect(body.capabilities).toMatchObject({
      streaming: true,
      pushNotifications: true,
      stateTransitionHistory: false,
    });
    // [core-2.2.6]
    expect(body.skills.length).toBeGreaterThan(0);
    for (const skill of body.skills) {
      expect(skill).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        description: expect.any(String),
      });
    }
  });

  it('declares only what the methods answer', async () => {
    const { body: card } = await service.call('GET', '/.well-known/agent-card.json');
    const push = await rpc(service, 'tasks/pushNotificationConfig/list', { id: 'x' });
    expect([card.capabilities.pushNotifications, push.body.error.code]).toEqual([true, -32001]);
    const extended = await rpc(service, 'agent/getAuthenticatedExtendedCard', undefined, { as: 'viewer' });
    expect([card.supportsAuthenticatedExtendedCard, extended.body.result.protocolVersion]).toEqual([true, '0.3.0']);
  });

  it('names addresses that answer, each binding in both versions [core-2.2.3, choices-6.13]', async () => {
    const { body: card } = await service.call('GET', '/.well-known/agent-card.json');
    expect(card.url).toBe(`${service.url}/a2a/jsonrpc`);
    for (const { url, transport } of card.additionalInterfaces) {
      const { pathname } = new URL(url);
      const reply =
        transport === 'JSONRPC'
          ? await rpc(service, 'tasks/list', {}, { path: pathname })
          : await service.call('GET', `${pathname}/v1/tasks`);
      expect((reply.body.result ?? reply.body).tasks).toEqual([]);
    }
    for (const { url, protocolBinding, protocolVersion } of card.supportedInterfaces) {
      const { pathname } = new URL(url);
      const headers = { 'a2a-version': protocolVersion };
      const method = protocolVersion === '1.0' ? 'ListTasks' : 'tasks/list';
      const reply =
        protocolBinding === 'JSONRPC'
          ? await rpc(service, method, {}, { path: pathname, headers })
          : await service.call('GET', `${pathname}/tasks`, { headers });
      expect((reply.body.result ?? reply.body).tasks).toEqual([]);
    }
    expect(card.supportedInterfaces).toHaveLength(4);
  });

  it('needs a credential, and is open to any valid one [choices-4.14, choices-6.1]', async () => {
    for (const path of paths) {
      expect(await service.call('GET', path, { token: null })).toMatchObject({ status: 401, body: { status: 401 } });
      for (const as of ['viewer', 'agent', 'other'] as const) {
        expect((await service.call('GET', path, { as })).status).toBe(200);
      }
    }
  });

  it('is cached by its ETag, by its reader alone', async () => {
    const first = await service.call('GET', '/.well-known/agent-card.json');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toContain('private');
    expect(first.headers.get('vary')).toContain('Authorization');
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await service.call('GET', '/.well-known/agent-card.json', { headers: { 'if-none-match': tag } });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
      // It would be the length of the kept card. RFC 9110 §8.6
      expect(again.headers.get('content-length')).toBeNull();
    }
    const other = await service.call('GET', '/.well-known/agent-card.json', { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });

  it('is the same after a restart [core-9.4.2]', async () => {
    const before = await service.call('GET', '/.well-known/agent-card.json');
    await service.restart();
    const after = await service.call('GET', '/.well-known/agent-card.json');
    expect([after.status, after.body]).toEqual([200, before.body]);
  });
});

describe('the forms of the card', () => {
  const read = async (version?: string, path = '/.well-known/agent-card.json'): Promise<ApiReply> =>
    service.call('GET', path, version === undefined ? {} : { headers: { 'a2a-version': version } });

  it('are v0.3, v1.0, and without a version both in one, each valid by its schema', async () => {
    const [both, older, newer] = [await read(), await read('0.3'), await read('1.0')];
    for (const { body } of [both, older]) expect(faults('AgentCard', body)).toEqual([]);
    expect(protoFaults('1.0', 'AgentCard', newer.body)).toEqual([]);
    expect(newer.body).not.toHaveProperty('protocolVersion');
    expect(older.body).not.toHaveProperty('supportedInterfaces');
    expect(both.body).toMatchObject({ protocolVersion: '0.3.0', supportedInterfaces: newer.body.supportedInterfaces });
    expect(new Set([both, older, newer].map(({ headers }) => headers.get('etag'))).size).toBe(3);
    for (const { headers } of [both, older, newer]) expect(headers.get('vary')).toContain('A2A-Version');
  });

  it('are no others: an unknown version is rejected with an error of the protocol', async () => {
    expect(await read('2.0')).toMatchObject({
      status: 400,
      body: { error: { code: 400, details: [{ reason: 'VERSION_NOT_SUPPORTED' }] } },
    });
  });

  it('name agents and capabilities of online workers, to their own tenant alone', async () => {
    await service.worker({ name: 'able', agents: ['painter'], capabilities: ['paint'] });
    const ids = ({ body }: ApiReply): string[] => body.skills.map(({ id }: { id: string }) => id);
    expect(ids(await read())).toEqual(expect.arrayContaining(['run_task', 'agent:painter', 'capability:paint']));
    const theirs = await service.call('GET', '/.well-known/agent-card.json', { as: 'other' });
    expect(ids(theirs)).toEqual(['run_task']);
  });

  it('name codebases too as the extended card, at each of its addresses [choices-6.20]', async () => {
    const cards = [
      await rpc(service, 'agent/getAuthenticatedExtendedCard'),
      await rpc(service, 'GetExtendedAgentCard'),
      await read('1.0', '/a2a/rest/extendedAgentCard'),
      await read(undefined, '/a2a/rest/v1/card'),
      await read(undefined, '/a2a/jsonrpc/v1/card'),
      await read(undefined, '/v1/a2a/v1/card'),
      await read(undefined, '/v1/card'),
    ].map(({ body }) => body.result ?? body);
    for (const card of cards) {
      expect(card.skills.map(({ id }: { id: string }) => id)).toContain('codebase:global');
    }
    expect(faults('AgentCard', cards[0])).toEqual([]);
    expect(protoFaults('1.0', 'AgentCard', cards[1])).toEqual([]);
    expect(cards[2]).toEqual(cards[1]);
    expect(protoFaults('0.3', 'AgentCard', cards[3])).toEqual([]);
  });

  it('declare the service’s extensions with the metadata that they mean [core-4.3.5, core-4.3.6, core-4.3.7, core-4.3.8]', async () => {
    const { body } = await read();
    const uris = body.capabilities.extensions.map(({ uri }: { uri: string }) => uri.split(':')[3]);
    expect(uris).toEqual(['targeted-messaging', 'capability-routing', 'priority', 'conversation-threading']);
    const keys = body.capabilities.extensions.flatMap(({ params }: { params: { metadata?: object } }) =>
      Object.keys(params.metadata ?? {}),
    );
    const metadata = { priority: 7, required_capabilities: ['paint'], target_agent: 'painter' };
    for (const key of Object.keys(metadata)) expect(keys).toContain(key);
    const sent = await rpc(service, 'message/send', { message: message('x', { metadata, contextId: 'thread' }) });
    expect(sent.body.result).toMatchObject({ contextId: 'thread', metadata });
  });
});

describe('a signed card', () => {
  it.each([
    ['ed25519', {}],
    ['ec', { namedCurve: 'P-256' }],
  ] as const)(
    'by a key of %s is verified by the official client, with the key that it names [choices-1.48]',
    async (type, options) => {
      // The client writes what it refuses to the console.
      using _quiet = vi.spyOn(console, 'debug').mockImplementation(() => {});
      const { privateKey } = makeKeys(type, options);
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      await using signed = await openService({ config: { cardSigningKey: pem } });
      const keys = await signed.call('GET', '/.well-known/jwks.json', { as: 'viewer' });
      const verify = verifyAgentCardSignature((kid) => {
        const jwk = keys.body.keys.find((key: { kid: string }) => key.kid === kid);
        return Promise.resolve(createPublicKey({ key: jwk, format: 'jwk' }));
      });
      for (const version of ['1.0', undefined]) {
        const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
        const { body } = await signed.call('GET', '/.well-known/agent-card.json', { headers });
        await verify(body);
        await verify(AgentCard.fromJSON(body));
        await expect(verify({ ...body, name: 'Somebody else' })).rejects.toThrow(/No valid signatures/);
      }
      const { signatures, ...card } = (await signed.call('GET', '/.well-known/agent-card.json')).body;
      const header = JSON.parse(Buffer.from(signatures[0].protected, 'base64url').toString());
      expect(header).toMatchObject({ typ: 'JOSE', jku: `${signed.url}/.well-known/jwks.json` });
      const payload = Buffer.from(canonicalize(card) ?? '').toString('base64url');
      const [jwk] = keys.body.keys;
      await expect(flattenedVerify({ ...signatures[0], payload }, await importJWK(jwk))).resolves.toBeDefined();
    },
  );
});

describe('the address in the card', () => {
  it('is BASE_URL, whatever a request says of itself [choices-1.31, choices-1.32]', async () => {
    await using published = await openService({ config: { baseUrl: 'https://agents.example.com/sw' } });
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const { body } = await published.call('GET', '/.well-known/agent-card.json', { headers });
    expect(body.url).toBe('https://agents.example.com/sw/a2a/jsonrpc');
    expect(JSON.stringify(body)).not.toContain('evil');
    const guessed = await service.call('GET', '/.well-known/agent-card.json', { headers });
    expect(guessed.body.url).toBe(`${service.url}/a2a/jsonrpc`);
  });
});

function makeKeys(type: 'ed25519' | 'ec', options: { namedCurve?: string }): KeyPairKeyObjectResult {
  return type === 'ed25519'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: options.namedCurve ?? '' });
}
