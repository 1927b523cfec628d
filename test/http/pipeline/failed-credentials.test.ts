// Wrong tokens are limited by client address, and where that address comes from. choices-4.
import { describe, expect, it } from 'vitest';
import type { Identities } from '../../../src/domain/access/identity/configured-tokens.ts';
import type { AuthenticatedCaller } from '../../../src/domain/model/access/caller.ts';
import { DomainError, unauthenticated, unavailable } from '../../../src/domain/model/errors.ts';
import { createApp } from '../../../src/http/app.ts';
import type { RequestPipeline } from '../../../src/http/pipeline/request-pipeline.ts';
import type { InboundRequest } from '../../../src/http/pipeline/inbound-request.ts';
import { openTestPipeline } from '../../support/request-pipeline.ts';

const caller: AuthenticatedCaller = {
  subject: 'user:a',
  name: 'a',
  tenantId: 'default',
  homeTenantId: 'default',
  roles: ['editor'],
  credential: 'api_key',
  credentialId: 'key:1',
};

/** Tokens that must be looked up remotely; records each lookup. */
class RemoteIdentities implements Identities {
  readonly lookups: string[] = [];
  readonly valid = new Set(['good', 'good-too']);

  findConfigured(bearer: string): AuthenticatedCaller | undefined {
    return bearer === 'configured' ? { ...caller, subject: 'token:c', credentialId: 'token:c' } : undefined;
  }

  lookUp(bearer: string): Promise<AuthenticatedCaller> {
    this.lookups.push(bearer);
    if (bearer === 'nowhere') return Promise.reject(new DomainError('forbidden', 'unknown_tenant', 'No tenant.'));
    if (bearer === 'unjudged') return Promise.reject(unavailable('store_unavailable', 'Later.', 2));
    return this.valid.has(bearer) ? Promise.resolve(caller) : Promise.reject(unauthenticated());
  }
}

const anyOperation = { name: 'test', permission: 'any_credential', resource: '/', changes: false } as const;

interface Stage {
  readonly identities: RemoteIdentities;
  readonly clock: { at: number };
  /** The subject that this token authenticates, or the error code. */
  readonly authenticate: (token: string, address?: string) => Promise<string>;
  /** Tries wrong tokens until the address is blocked. */
  readonly wearOut: (address?: string) => Promise<void>;
}

function stage(): Stage {
  const identities = new RemoteIdentities();
  const clock = { at: Date.now() };
  const pipeline = openTestPipeline([], { identities, now: () => clock.at });
  const come: Stage['authenticate'] = async (token, address = '192.0.2.1') => {
    const inbound: InboundRequest = { authorization: [`Bearer ${token}`], tenants: [], address, requestId: 'r' };
    try {
      const admission = await pipeline.authenticate(inbound, { admission: undefined });
      return (await admission.begin(anyOperation)).caller.subject;
    } catch (error) {
      return error instanceof DomainError ? error.code : String(error);
    }
  };
  const wearOut: Stage['wearOut'] = async (address) => {
    for (let i = 0; i < 30; i += 1) expect(await come(`wrong-${i}`, address)).toBe('unauthenticated');
    expect(await come('wrong', address)).toBe('too_many_failures');
  };
  return { identities, clock, authenticate: come, wearOut };
}

describe('wrong tokens', () => {
  it('are limited to thirty per minute and address; then the answer is 429 with Retry-After [choices-4.42]', async () => {
    const { authenticate: come, wearOut } = stage();
    await wearOut();
    const pipeline = openTestPipeline([]);
    const inbound = { authorization: ['Bearer wrong'], tenants: [], address: '192.0.2.1', requestId: 'r' };
    for (let i = 0; i < 30; i += 1)
      await expect(pipeline.authenticate(inbound, { admission: undefined })).rejects.toMatchObject({
        kind: 'unauthenticated',
      });
    const refusal: unknown = await pipeline
      .authenticate(inbound, { admission: undefined })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ kind: 'limited', retryAfterSeconds: expect.any(Number) });
    expect(await come('wrong', '192.0.2.2')).toBe('unauthenticated');
  });

  it('are the only ones counted: not valid tokens, tokens without access, or tokens that could not be checked', async () => {
    const { authenticate: come, identities } = stage();
    for (let i = 0; i < 50; i += 1) {
      expect(await come('good')).toBe('user:a');
      expect(await come('nowhere')).toBe('unknown_tenant');
      expect(await come('unjudged')).toBe('store_unavailable');
    }
    expect(await come('wrong')).toBe('unauthenticated');
    expect(identities.lookups).toHaveLength(151);
  });

  it('are not looked up any more once the address is blocked', async () => {
    const { authenticate: come, wearOut, identities } = stage();
    await wearOut();
    const before = identities.lookups.length;
    for (let i = 0; i < 100; i += 1) expect(await come(`more-${i}`)).toBe('too_many_failures');
    expect(identities.lookups).toHaveLength(before);
  });
});

describe('a request from a blocked address', () => {
  it('is accepted with a configured token', async () => {
    const { authenticate: come, wearOut } = stage();
    await wearOut();
    expect(await come('configured')).toBe('token:c');
  });

  it('is accepted with a token that was valid within the last minute, which is looked up each time', async () => {
    const { authenticate: come, wearOut, clock, identities } = stage();
    expect(await come('good')).toBe('user:a');
    await wearOut();
    clock.at += 40_000;
    expect(await come('good')).toBe('user:a');
    clock.at += 40_000;
    expect(await come('good')).toBe('user:a');
    // Valid before is not valid now.
    identities.valid.delete('good');
    expect(await come('good')).toBe('unauthenticated');
  });

  it('is rejected with a token that was not valid recently', async () => {
    const { authenticate: come, wearOut, clock } = stage();
    expect(await come('good')).toBe('user:a');
    await wearOut();
    expect(await come('good-too')).toBe('too_many_failures');
    clock.at += 60_000;
    expect(await come('good')).toBe('too_many_failures');
  });

  it('is always 401 without a credential or with a malformed one [choices-4.42]', async () => {
    const pipeline = openTestPipeline([]);
    const come = (...authorization: string[]): Promise<unknown> =>
      pipeline
        .authenticate({ authorization, tenants: [], address: '192.0.2.1', requestId: 'r' }, { admission: undefined })
        .catch((error: unknown) => error);
    for (let i = 0; i < 40; i += 1) await come(`Bearer wrong-${i}`);
    expect(await come('Bearer wrong')).toMatchObject({ kind: 'limited' });
    const nothing = [
      [],
      ['Basic d3Jvbmc='],
      ['Bearer'],
      ['Bearer a b'],
      ['Bearer a', 'Bearer a'],
      [`Bearer ${'x'.repeat(8193)}`],
    ];
    for (const headers of nothing) expect(await come(...headers)).toMatchObject({ kind: 'unauthenticated' });
  });
});

describe('an address', () => {
  it('is counted by its /64 network for IPv6, because one client has all of it', async () => {
    const { authenticate: come, wearOut } = stage();
    await wearOut('2001:db8:1:2::1');
    expect(await come('wrong', '2001:db8:1:2:ffff:1:2:3')).toBe('too_many_failures');
    expect(await come('wrong', '2001:db8:1:3::1')).toBe('unauthenticated');
  });

  it('is that of the connection, unless a trusted proxy forwards another [choices-1.47]', async () => {
    const spoofed = { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=198.51.100.8', 'x-real-ip': '198.51.100.9' };
    expect(await seen([], '192.0.2.1', spoofed)).toBe('192.0.2.1');
    expect(await seen(['10.0.0.0/8'], '192.0.2.1', spoofed)).toBe('192.0.2.1');
    expect(await seen(['10.0.0.0/8'], '10.1.2.3', spoofed)).toBe('198.51.100.7');
    expect(await seen(['loopback'], '127.0.0.1', spoofed)).toBe('198.51.100.7');
    expect(await seen(['10.0.0.0/8'], '::ffff:10.1.2.3', spoofed)).toBe('198.51.100.7');
  });

  it('is the nearest one that is not a trusted proxy: addresses that the client itself wrote are ignored [choices-1.47]', async () => {
    const proxies = ['10.0.0.0/8'];
    const chain = (value: string): Promise<string> => seen(proxies, '10.0.0.1', { 'x-forwarded-for': value });
    expect(await chain('1.1.1.1, 198.51.100.7')).toBe('198.51.100.7');
    expect(await chain('1.1.1.1, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7');
    expect(await chain('10.0.0.9, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7');
    // All of them are ours: then it is the farthest.
    expect(await chain('10.0.0.9, 10.0.0.2')).toBe('10.0.0.9');
  });

  it('is normalized, however a proxy writes it; an invalid one is replaced by that of the proxy', async () => {
    const addressSeen = (value: string): Promise<string> =>
      seen(['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': value });
    expect(await addressSeen('::ffff:198.51.100.7')).toBe('198.51.100.7');
    expect(await addressSeen('::FFFF:C633:6407')).toBe('198.51.100.7');
    expect(await addressSeen('198.51.100.7:4711')).toBe('198.51.100.7');
    expect(await addressSeen('2001:DB8:0:0:0:0:0:1')).toBe('2001:db8::1');
    expect(await addressSeen('[2001:db8::1]:4711')).toBe('2001:db8::1');
    expect(await addressSeen('fe80::1%eth0')).toBe('fe80::1');
    for (const nonsense of ['unknown', '_hidden', '', '0x7f.1', '1', '999.1.1.1', "'; drop table", 'x'.repeat(2000)]) {
      expect(await addressSeen(nonsense)).toBe('10.0.0.1');
    }
  });
});

/** The client address that the pipeline receives. */
async function seen(trustedProxies: string[], remoteAddress: string, headers: Record<string, string>): Promise<string> {
  const addresses: string[] = [];
  const pipeline: RequestPipeline = {
    ...openTestPipeline([]),
    authenticate: ({ address }) => {
      addresses.push(address);
      return Promise.reject(unauthenticated());
    },
  };
  const stopping = new AbortController().signal;
  const app = createApp({ pipeline, trustedProxies, maxBodyBytes: 1000, stopping, log: () => {} });
  await app.inject({ method: 'GET', url: '/v1/nothing', remoteAddress, headers });
  await app.close();
  return addresses.join(' ');
}
