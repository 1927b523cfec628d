// The egress guard: every spelling of an address that is not the public internet's is refused, at creation where it can
// be known and at the connection otherwise; no packet reaches a forbidden listener.
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseIpAddress, isPublic } from '../../../src/adapters/egress/address.ts';
import { allowList, isAllowEntry } from '../../../src/adapters/egress/allow-list.ts';
import { egressGuard, type Resolve } from '../../../src/adapters/egress/guard.ts';
import { guardedEgress } from '../../../src/adapters/egress/http.ts';
import { resolveByServers } from '../../../src/adapters/egress/resolve.ts';
import type { Egress, EgressAnswer } from '../../../src/domain/ports/egress.ts';
import { openReceiver, type Receiver } from '../../support/peers/webhook-receiver.ts';

const nowhere: Resolve = () => Promise.reject(new Error('nothing is looked up'));
const guard = (allow: string[] = []): ReturnType<typeof egressGuard> =>
  egressGuard({ allow, resolve: nowhere, resolveAllowed: nowhere });

/** IPv4 addresses that are not the public internet's, by the range they stand for. */
const forbidden4 = [
  [0, 0, 0, 0, 8],
  [10, 0, 0, 0, 8],
  [100, 64, 0, 0, 10],
  [127, 0, 0, 0, 8],
  [169, 254, 0, 0, 16],
  [172, 16, 0, 0, 12],
  [192, 0, 0, 0, 24],
  [192, 0, 2, 0, 24],
  [192, 88, 99, 0, 24],
  [192, 168, 0, 0, 16],
  [198, 18, 0, 0, 15],
  [198, 51, 100, 0, 24],
  [203, 0, 113, 0, 24],
  [224, 0, 0, 0, 4],
  [240, 0, 0, 0, 4],
] as const;

/** Any address of any of these ranges, as a number. */
const forbiddenNumber = fc
  .tuple(fc.constantFrom(...forbidden4), fc.nat(0xffffffff))
  .map(([[a, b, c, d, bits], any]) => {
    const network = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    const mask = (0xffffffff << (32 - bits)) >>> 0;
    return (network | (any & ~mask)) >>> 0;
  });

const octets = (n: number): [number, number, number, number] => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];

/** Every way that a URL has to write the same IPv4 address. */
const spellings: ((n: number) => string)[] = [
  (n) => octets(n).join('.'),
  (n) => `${octets(n).join('.')}.`,
  String,
  (n) => `0x${n.toString(16)}`,
  (n) => `0X${n.toString(16).toUpperCase()}`,
  (n) => `0${n.toString(8)}`,
  (n) =>
    octets(n)
      .map((octet) => `0x${octet.toString(16)}`)
      .join('.'),
  (n) =>
    octets(n)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  (n) => `${n >>> 24}.${n & 0xffffff}`,
  (n) => `${n >>> 24}.${(n >>> 16) & 255}.${n & 0xffff}`,
  (n) => `0${(n >>> 24).toString(8)}.0x${(n & 0xffffff).toString(16)}`,
  (n) => octets(n).join('%2e'),
  (n) => octets(n).join('。'),
  (n) =>
    octets(n)
      .join('.')
      .replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
];

const hex = (n: number): string => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`;
/** An IPv4 address inside of an IPv6 one. */
const wrapped: ((n: number) => string)[] = [
  (n) => `[::ffff:${octets(n).join('.')}]`,
  (n) => `[::ffff:${hex(n)}]`,
  (n) => `[0:0:0:0:0:ffff:${hex(n)}]`,
  (n) => `[::${octets(n).join('.')}]`,
  (n) => `[64:ff9b::${octets(n).join('.')}]`,
  (n) => `[64:ff9b::${hex(n)}]`,
  (n) => `[64:ff9b:1::${hex(n)}]`,
  (n) => `[::ffff:0:${hex(n)}]`,
  (n) => `[2002:${hex(n)}::1]`,
  (n) => `[2001:0:${hex(n)}::1]`,
];

describe('an address in a URL', () => {
  it('that is private or special is refused in every spelling that a URL has for it [choices-8.6]', () => {
    fc.assert(
      fc.property(forbiddenNumber, fc.constantFrom(...spellings, ...wrapped), (n, spelling) => {
        expect(guard().refusal(`http://${spelling(n)}/hook`)).toBeTypeOf('string');
      }),
      { numRuns: 3_000 },
    );
  });

  it('that is public passes, also where it stands in an IPv6 one by NAT64 or as a mapped one', () => {
    for (const host of ['8.8.8.8', '134744072', '[2606:4700::1111]', '[64:ff9b::8.8.8.8]', '[::ffff:8.8.8.8]']) {
      expect(guard().refusal(`https://${host}/hook`)).toBeUndefined();
    }
  });

  it.each([
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
    'http://[2001:db8::1]/',
    'http://[2001:2::1]/',
    'http://[2001:20::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[4000::1]/',
    'http://[fe80::1%25eth0]/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://255.255.255.255/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://user@example.com/',
    'http://user:word@example.com/',
    'http://:word@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'unix:/var/run/docker.sock',
    'http:///',
    'example.com',
    '//example.com',
    'http://example.com:25/',
    'http://example.com:22/',
    'http://example.com:0/',
    'http://example.com:6667/',
  ])('%s is refused', (url) => {
    expect(guard().refusal(url)).toBeTypeOf('string');
  });

  it.each(['https://example.com/hook?x=1', 'http://example.com:8080/', 'https://EXAMPLE.com.', 'http://[2a00::1]:81/'])(
    '%s passes: what it resolves to is looked at when it is sent',
    (url) => {
      expect(guard().refusal(url)).toBeUndefined();
    },
  );

  it('any number is judged alike by its range and by its spellings', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.constantFrom(...spellings), (n, spelling) => {
        const address = parseIpAddress(octets(n).join('.'));
        if (address === undefined) throw new Error('no address');
        expect(guard().refusal(`http://${spelling(n)}/`) === undefined).toBe(isPublic(address));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('EGRESS_ALLOW', () => {
  it('opens networks, addresses and hosts by name, and nothing beside them [choices-1.41]', () => {
    const open = guard(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', 'build.internal', 'LocalHost']);
    for (const host of [
      '10.1.2.3',
      '127.0.0.1',
      '2130706433',
      '[fd12::1]',
      '[::ffff:10.1.0.1]',
      'build.internal',
      'localhost',
    ]) {
      expect(open.refusal(`http://${host}/`)).toBeUndefined();
    }
    for (const host of ['10.2.0.1', '127.0.0.2', '[::1]', '[fc00::1]', 'a.localhost']) {
      expect(open.refusal(`http://${host}/`)).toBeTypeOf('string');
    }
    // Everything else stays refused.
    expect(open.refusal('http://user@127.0.0.1/')).toBeTypeOf('string');
    expect(open.refusal('http://127.0.0.1:25/')).toBeTypeOf('string');
  });

  it('takes no entry that is neither', () => {
    for (const word of ['10.0.0.0/8', '::1', 'fd00::/8', 'a.b', 'localhost']) expect(isAllowEntry(word)).toBe(true);
    for (const word of ['10.0.0.0/33', '10.0.0', '0x7f.1', 'http://a', 'a b', '*', '', '10.0.0.0/', 'a/8']) {
      expect(isAllowEntry(word)).toBe(false);
    }
    expect(allowList([]).hasHost('')).toBe(false);
  });
});

/** A listener that must not be reached: counts connections. */
async function openForbidden(): Promise<{ server: Server; port: number; count: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port, count: () => connections };
}

describe('a request', () => {
  let receiver: Receiver;
  let egress: Egress | undefined;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver[Symbol.asyncDispose]());
  afterEach(async () => {
    await egress?.[Symbol.asyncDispose]();
    egress = undefined;
  });

  const post = (url: string, options: { timeoutMs?: number; maxAnswerBytes?: number } = {}): Promise<EgressAnswer> => {
    if (egress === undefined) throw new Error('no egress');
    return egress.send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
      timeoutMs: options.timeoutMs ?? 5_000,
      maxAnswerBytes: options.maxAnswerBytes ?? 1000,
      signal: new AbortController().signal,
    });
  };
  const open = (allow: string[], resolve: Resolve = nowhere): Egress =>
    (egress = guardedEgress({ allow, resolve, resolveAllowed: resolve }));
  const address4 = (address: string): { address: string; family: number } => ({ address, family: 4 });

  it('to a name that resolves to a private address is refused, and no packet goes there [choices-1.42]', async () => {
    const trap = await openForbidden();
    const answers: Record<string, string[]> = {
      'plain.example': ['127.0.0.1'],
      'mixed.example': ['93.184.216.34', '127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
    };
    open([], (host) => Promise.resolve((answers[host] ?? []).map(address4)));
    for (const host of Object.keys(answers)) {
      expect(await post(`http://${host}:${trap.port}/`)).toMatchObject({ outcome: 'refused' });
    }
    expect(trap.count()).toBe(0);
    trap.server.close();
  });

  it('goes to the address that was checked, however the name answers a moment later', async () => {
    const trap = await openForbidden();
    let lookups = 0;
    // First the one that is allowed, then, for whoever looks twice, another.
    open(['127.0.0.1'], () => Promise.resolve([address4((lookups += 1) === 1 ? '127.0.0.1' : '127.0.0.2')]));
    const first = await post(`http://changing.example:${receiver.port}/pinned`);
    expect(first).toMatchObject({ outcome: 'answered', statusCode: 204 });
    expect(lookups).toBe(1);
    expect(receiver.on('/pinned')[0]?.headers['host']).toBe(`changing.example:${receiver.port}`);
    expect(await post(`http://changing.example:${trap.port}/`)).toMatchObject({ outcome: 'refused' });
    expect(trap.count()).toBe(0);
    trap.server.close();
  });

  it('to a literal address that slipped past creation is refused too', async () => {
    open([]);
    expect(await post(`${receiver.url}/literal`)).toMatchObject({ outcome: 'refused' });
    expect(receiver.on('/literal')).toEqual([]);
  });

  it('follows no redirect [choices-8.9]', async () => {
    open(['127.0.0.1']);
    expect(await post(`${receiver.url}/redirect`)).toMatchObject({ outcome: 'answered', statusCode: 302 });
    expect(receiver.on('/decoy')).toEqual([]);
  });

  it('reads an answer up to its cap, and takes no longer than it may', async () => {
    open(['127.0.0.1']);
    const endless = await post(`${receiver.url}/endless`);
    expect(endless).toMatchObject({ outcome: 'answered', statusCode: 200, complete: false });
    expect(endless.outcome === 'answered' && endless.body.length).toBe(1000);
    expect(await post(`${receiver.url}/hang`, { timeoutMs: 100 })).toEqual({
      outcome: 'failed',
      reason: 'no answer in time',
    });
    expect(await post(`${receiver.url}/drip`)).toMatchObject({ statusCode: 200, complete: false });
    expect(await post(`${receiver.url}/short`)).toMatchObject({ statusCode: 200, complete: false });
    expect(await post(`${receiver.url}/reset`)).toEqual({ outcome: 'failed', reason: 'the connection broke off' });
    expect(await post(`${receiver.url}/garbage`)).toEqual({ outcome: 'failed', reason: 'the answer was not HTTP' });
  });

  it.each([
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'the answer was not HTTP'],
    ['HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n', 'the answer was not HTTP'],
    [`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 'the headers of the answer are too long'],
  ])('that was sent and answered %j does not say that it could not be sent', async (bytes, reason) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    open(['127.0.0.1']);
    expect(await post(`http://127.0.0.1:${address.port}/`)).toEqual({ outcome: 'failed', reason });
    server.close();
  });

  it('to a name that no name server would be asked for is reported as a name that was not found, too', async () => {
    open([], resolveByServers);
    for (const host of [`${'a'.repeat(64)}.example`, 'example..', '.example']) {
      expect(await post(`http://${host}/`)).toEqual({ outcome: 'failed', reason: 'the host name was not found' });
    }
  });

  it('uses no proxy that the environment names', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'] as const;
    const before = names.map((name) => process.env[name]);
    const trap = await openForbidden();
    try {
      for (const name of names)
        process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${trap.port}`;
      open(['127.0.0.1']);
      expect(await post(`${receiver.url}/direct`)).toMatchObject({ statusCode: 204 });
      expect(trap.count()).toBe(0);
    } finally {
      names.forEach((name, i) => {
        if (before[i] === undefined) delete process.env[name];
        else process.env[name] = before[i];
      });
      trap.server.close();
    }
  });

  it('that fails says why without any part of the address, for it may hold a secret', async () => {
    open([], () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND hidden.example'), { code: 'ENOTFOUND' })));
    const answer = await post('http://hidden.example/hook?key=hidden');
    expect(answer).toEqual({ outcome: 'failed', reason: 'the host name was not found' });
    expect(JSON.stringify(await post('http://hidden@127.0.0.1/'))).not.toContain('hidden');
  });
});
