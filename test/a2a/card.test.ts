// The agent card: what discovery tells of the service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';
import { faults, rpc } from './support.ts';

const paths = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

describe('the agent card', () => {
  it.each(paths)('is served at %s in the form of v0.3 [core-1.1.2, core-1.15, core-4.1.1, core-9.1]', async (path) => {
    const { status, body } = await house.call('GET', path, { as: 'viewer' });
    expect(status).toBe(200);
    expect(faults('AgentCard', body)).toEqual([]);
    expect(body).toMatchObject({ protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' });
    expect(body.additionalInterfaces).toContainEqual({ url: body.url, transport: 'JSONRPC' });
  });

  it('has name, description, version, capabilities and skills [core-2.2.1, core-2.2.2, core-2.2.4, core-2.2.5]', async () => {
    const { body } = await house.call('GET', '/.well-known/agent-card.json');
    expect(body).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    // [core-9.3, choices-1.62]
    expect(body.version).toBe('1.2.0');
    expect(body.capabilities).toEqual({ streaming: true, pushNotifications: false, stateTransitionHistory: false });
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

  it('says no more than the methods do: what it denies is refused with the protocol’s error', async () => {
    const { body: card } = await house.call('GET', '/.well-known/agent-card.json');
    const push = await rpc(house, 'tasks/pushNotificationConfig/set', { taskId: 'x', pushNotificationConfig: {} });
    expect([card.capabilities.pushNotifications, push.body.error.code]).toEqual([false, -32003]);
    const extended = await rpc(house, 'agent/getAuthenticatedExtendedCard', undefined, { as: 'viewer' });
    expect([card.supportsAuthenticatedExtendedCard, extended.body.error.code]).toEqual([false, -32007]);
  });

  it('names addresses that answer [core-2.2.3]', async () => {
    const { body: card } = await house.call('GET', '/.well-known/agent-card.json');
    expect(card.url).toBe(`${house.url}/a2a/jsonrpc`);
    for (const { url } of card.additionalInterfaces) {
      const reply = await rpc(house, 'tasks/list', {}, { path: new URL(url).pathname });
      expect(reply.body.result.tasks).toEqual([]);
    }
  });

  it('is behind the bearer, open to any valid credential [choices-4.14, choices-6.1]', async () => {
    for (const path of paths) {
      expect(await house.call('GET', path, { token: null })).toMatchObject({ status: 401, body: { status: 401 } });
      for (const as of ['viewer', 'agent', 'other'] as const) {
        expect((await house.call('GET', path, { as })).status).toBe(200);
      }
    }
  });

  it('is kept by its tag, by nobody but its reader', async () => {
    const first = await house.call('GET', '/.well-known/agent-card.json');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toContain('private');
    expect(first.headers.get('vary')).toContain('Authorization');
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await house.call('GET', '/.well-known/agent-card.json', { headers: { 'if-none-match': tag } });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    const other = await house.call('GET', '/.well-known/agent-card.json', { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });

  it('is there after a restart as it was before [core-9.4.2]', async () => {
    const before = await house.call('GET', '/.well-known/agent-card.json');
    await house.restart();
    const after = await house.call('GET', '/.well-known/agent-card.json');
    expect([after.status, after.body]).toEqual([200, before.body]);
  });
});

describe('the address in the card', () => {
  it('is BASE_URL, whatever a request says of itself [choices-1.31, choices-1.32]', async () => {
    await using published = await openHouse({ config: { baseUrl: 'https://agents.example.com/sw' } });
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const { body } = await published.call('GET', '/.well-known/agent-card.json', { headers });
    expect(body.url).toBe('https://agents.example.com/sw/a2a/jsonrpc');
    expect(JSON.stringify(body)).not.toContain('evil');
    const guessed = await house.call('GET', '/.well-known/agent-card.json', { headers });
    expect(guessed.body.url).toBe(`${house.url}/a2a/jsonrpc`);
  });
});
