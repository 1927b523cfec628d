// The registry of signed tools: trusted keys, versions, revocation, tenants.
import { createPrivateKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService, ApiReply } from '../../support/service.ts';
import {
  canonicalText,
  install,
  makeSigner,
  openToolService,
  putContent,
  runTool,
  sha256,
  signed,
} from '../../support/client/signed-tools.ts';

let service: TestService;
beforeAll(async () => {
  service = await openToolService();
});
afterAll(() => service[Symbol.asyncDispose]());

const content = '#!/bin/sh\ncat\n';
const least = (tool_id: string, version = '1.0.0'): Record<string, unknown> => ({
  tool_id,
  version,
  sha256_hash: sha256(content),
});
const full = (tool_id: string): Record<string, unknown> => ({
  ...least(tool_id),
  allowed_resources: ['api.example.com', '*.example.org:8443'],
  max_memory_mb: 128,
  max_cpu_seconds: 5,
  network_allowed: true,
});

function register(body: unknown, as: 'operator' | 'other' = 'operator'): Promise<ApiReply> {
  return service.call('POST', '/v1/tools/manifests', { as, body });
}

describe('a manifest', () => {
  it('that a trusted key has signed is registered, all its fields as they were signed [core-4.8.1, core-1.14.3, core-2.9.1, core-2.9.2, core-2.9.3, core-2.9.4, core-2.9.5, core-2.9.6, core-2.9.7, core-2.9.8, choices-3.100]', async () => {
    const body = signed(full('whole'));
    const reply = await register(body);
    expect(reply.status).toBe(201);
    expect(reply.body.manifest).toMatchObject({ ...body, signed_by: 'tests', status: 'active', has_content: false });
  });

  it('needs none of its optional fields', async () => {
    const reply = await register(signed(least('least')));
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.body.manifest)).not.toContain('network_allowed');
  });

  it('signed by independent code is accepted: a fixed key, fixed bytes, a signature by openssl [choices-3.104]', async () => {
    // openssl pkeyutl -sign -rawin -inkey key.pem -in canonical.json; Ed25519 has one signature for one text.
    const seed = Buffer.alloc(32, 7);
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const text =
      '{"allowed_resources":["/srv/data/é","api.example.com"],"max_cpu_seconds":5,"sha256_hash":"' +
      `${'ab'.repeat(32)}","tool_id":"golden","version":"1.2.3-rc.1+build.5"}`;
    expect(canonicalText(JSON.parse(text))).toBe(text);
    const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
    expect(signature).toBe(goldenSignature);
    await using strict = await openToolService({
      db: service.db,
      tools: { trustedKeys: [makeSigner().trusted, goldenKey], allowedPaths: ['/srv'] },
    });
    const reply = await strict.call('POST', '/v1/tools/manifests', {
      as: 'operator',
      body: { ...JSON.parse(text), signature },
    });
    expect(reply).toMatchObject({ status: 201, body: { manifest: { signed_by: 'key-2' } } });
  });

  it('is refused when any byte of any field is changed, a field is removed, added or moved [core-5.10.2]', async () => {
    const body = signed(full('any-change'));
    const names = Object.keys(body);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (name, at, flip) => {
          const changed = changedAt(body, name, at, flip);
          if (JSON.stringify(changed) === JSON.stringify(body)) return;
          const reply = await register(changed);
          expect(reply.status, `${name}: ${JSON.stringify(changed)}`).toBe(400);
        },
      ),
      { numRuns: 150 },
    );
    for (const name of names) {
      const { [name]: _gone, ...rest } = body;
      expect((await register(rest)).status, `without ${name}`).toBe(400);
    }
    expect((await register({ ...signed(least('x')), network_allowed: false })).status).toBe(400);
    expect((await register({ ...signed(least('x')), allowed_resources: [] })).status).toBe(400);
    expect((await service.call('GET', '/v1/tools/manifests/any-change', { as: 'viewer' })).status).toBe(404);
  });

  it('is refused with another spelling of the same signature', async () => {
    const body = signed(least('spelling'));
    const signature = String(body['signature']);
    const last = signature.charAt(85);
    const twin = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charAt(
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(last) + 1,
    );
    expect(Buffer.from(`${signature.slice(0, 85)}${twin}==`, 'base64')).toEqual(Buffer.from(signature, 'base64'));
    for (const other of [
      `${signature.slice(0, 85)}${twin}==`,
      signature.replaceAll('=', ''),
      `${signature}\n`,
      Buffer.from(signature, 'base64').toString('base64url'),
      '',
    ]) {
      expect((await register({ ...body, signature: other })).status).toBe(400);
    }
    expect((await register(body)).status).toBe(201);
  });

  it('is refused with an unknown field, even a signed one', async () => {
    const reply = await register(signed({ ...least('unknown'), run_as_root: true }));
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('of an untrusted key is refused; a key sent with it is ignored [choices-3.105]', async () => {
    const stranger = makeSigner();
    const body = signed(least('stranger'), stranger);
    expect(await register(body)).toMatchObject({ status: 400, body: { code: 'signature_invalid' } });
    expect((await register({ ...body, public_key: stranger.trusted })).status).toBe(400);
  });

  it.each([
    ['a version that is none', { version: '1.0' }],
    ['a version with leading zeros', { version: '01.0.0' }],
    ['a hash in capitals', { sha256_hash: 'AB'.repeat(32) }],
    ['a short hash', { sha256_hash: 'ab' }],
    ['a tool_id with a slash', { tool_id: 'a/b' }],
    ['a path that climbs', { allowed_resources: ['/srv/../etc'] }],
    ['a path with a double slash', { allowed_resources: ['//etc'] }],
    ['a relative path', { allowed_resources: ['./etc'] }],
    ['a URL', { allowed_resources: ['https://example.com/'] }],
    ['memory below nothing', { max_memory_mb: -1 }],
    ['memory as text', { max_memory_mb: '64' }],
    ['half a second', { max_cpu_seconds: 0.5 }],
    ['network as text', { network_allowed: 'yes' }],
  ])('with %s is refused', async (_what, field) => {
    expect((await register(signed({ ...least('malformed'), ...field }))).status).toBe(400);
  });

  it.each([
    ['memory', { max_memory_mb: 1025 }, 'max_memory_mb'],
    ['no memory', { max_memory_mb: 0 }, 'max_memory_mb'],
    ['CPU time', { max_cpu_seconds: 301 }, 'max_cpu_seconds'],
    ['paths', { allowed_resources: ['/srv/data'] }, 'allowed_resources'],
  ])(
    'that asks for unacceptable %s is refused, with the setting that allows it [core-5.10.4]',
    async (_what, field, name) => {
      const reply = await register(signed({ ...least('greedy'), ...field }));
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'limits_unacceptable', errors: [{ path: `/${name}` }] },
      });
    },
  );

  it('is refused when no key is trusted, with the setting to change', async () => {
    await using untrusting = await openToolService({ db: service.db, tools: { trustedKeys: [] } });
    const reply = await untrusting.call('POST', '/v1/tools/manifests', { as: 'operator', body: signed(least('none')) });
    expect(reply).toMatchObject({ status: 503, body: { code: 'no_trusted_keys' } });
    expect(reply.body.detail).toContain('TOOL_TRUSTED_KEYS');
  });
});

/** Changes one byte of a value's JSON; returns the value itself when that is not JSON any more. */
function changedAt(body: Record<string, unknown>, name: string, at: number, flip: number): Record<string, unknown> {
  const bytes = Buffer.from(JSON.stringify(body[name]));
  const place = at % bytes.length;
  bytes[place] = (bytes[place] ?? 0) ^ flip;
  try {
    return { ...body, [name]: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return body;
  }
}

const goldenSignature = 'BBEVM6Lghlk0zPRrGhMO3KVENGcIvj8AiDcee+y1IrYK1KQcZlR5LtTTECHBelR+50/9kBF/Soeuz5cvMlGcAg==';
const goldenKey = '6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=';

describe('versions', () => {
  it('are each registered once: a repeat gets the same answer, another hash 409 [choices-3.108]', async () => {
    const body = signed(least('once'));
    expect((await register(body)).status).toBe(201);
    expect((await register(body)).status).toBe(201);
    const other = signed({ ...least('once'), sha256_hash: sha256('other') });
    expect(await register(other)).toMatchObject({ status: 409, body: { code: 'tool_version_taken' } });
    const wider = signed({ ...least('once'), network_allowed: true });
    expect((await register(wider)).status).toBe(409);
  });

  it('are listed and read, and a run selects the highest, in whatever order they were registered [choices-3.101]', async () => {
    for (const version of ['1.10.0', '1.9.0', '2.0.0-rc.1', '0.1.0'])
      expect((await register(signed(least('many', version)))).status).toBe(201);
    const reply = await service.call('GET', '/v1/tools/manifests/many', { as: 'viewer' });
    expect(reply.body.manifest.version).toBe('2.0.0-rc.1');
    const versions = reply.body.versions.map((each: { version: string }) => each.version);
    expect(versions).toEqual(['2.0.0-rc.1', '1.10.0', '1.9.0', '0.1.0']);
    const one = await service.call('GET', '/v1/tools/manifests/many?version=1.9.0', { as: 'viewer' });
    expect(one.body.manifest.version).toBe('1.9.0');
    const listed: string[] = [];
    let cursor = '';
    do {
      const page = await service.call('GET', `/v1/tools/manifests?limit=2${cursor}`, { as: 'viewer' });
      listed.push(
        ...page.body.manifests.map((each: { tool_id: string; version: string }) => `${each.tool_id} ${each.version}`),
      );
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
    } while (cursor !== '');
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(listed.toSorted());
    expect(listed).toContain('many 1.10.0');
  });

  it('cannot be restored once they are revoked, not even in the database [choices-3.109]', async () => {
    await install(service, { tool_id: 'gone', content });
    await install(service, { tool_id: 'gone', version: '1.1.0', content });
    const revoke = await service.call('DELETE', '/v1/tools/manifests/gone?version=1.1.0');
    expect(revoke).toMatchObject({ status: 200, body: { manifests: [{ version: '1.1.0', status: 'revoked' }] } });
    expect(await register(signed(least('gone', '1.1.0')))).toMatchObject({
      status: 409,
      body: { code: 'tool_revoked' },
    });
    expect((await putContent(service, 'gone', '1.1.0', content)).status).toBe(409);
    expect(await runTool(service, 'gone', { version: '1.1.0' })).toMatchObject({
      status: 403,
      body: { code: 'tool_revoked' },
    });
    await expect(
      service.db.query(`update tool_manifests set revoked_at = null where tool_id = 'gone'`),
    ).rejects.toThrow('stays revoked');
    await expect(
      service.db.query(`update tool_manifests set sha256_hash = $1 where tool_id = 'gone'`, [sha256('x')]),
    ).rejects.toThrow('never changes');
    expect(await runTool(service, 'gone')).toMatchObject({ status: 200, body: { exit_code: 0 } });
    const all = await service.call('DELETE', '/v1/tools/manifests/gone');
    expect(all.body.manifests).toHaveLength(2);
    expect(await runTool(service, 'gone')).toMatchObject({ status: 403 });
    const left = await service.db.query(
      `select from tool_contents where sha256_hash = $1 and tenant_id = 'default'
      and not exists (select from tool_manifests m where m.sha256_hash = $1 and m.revoked_at is null)`,
      [sha256(content)],
    );
    expect(left).toEqual([]);
  });
});

describe('content', () => {
  it('is accepted only when its hash is the manifest’s [choices-3.102, core-5.10.3]', async () => {
    await register(signed(least('bytes')));
    expect(await putContent(service, 'bytes', '1.0.0', `${content} `)).toMatchObject({
      status: 400,
      body: { code: 'hash_mismatch' },
    });
    expect(await putContent(service, 'bytes', '1.0.0', content)).toMatchObject({
      status: 200,
      body: { manifest: { has_content: true } },
    });
    expect((await putContent(service, 'bytes', '2.0.0', content)).status).toBe(404);
    expect((await putContent(service, 'nobody', '1.0.0', content)).status).toBe(404);
  });

  it('must be bytes: JSON is 415 there, and bytes are 415 elsewhere [choices-3.106]', async () => {
    const json = await service.call('PUT', '/v1/tools/bytes/content', { as: 'operator', body: {} });
    expect(json).toMatchObject({ status: 415, body: { code: 'not_bytes' } });
    const bytes = await service.call('POST', '/v1/tools/manifests', {
      as: 'operator',
      raw: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(bytes).toMatchObject({ status: 415, body: { code: 'not_json' } });
    const nobody = await service.call('PUT', '/v1/tools/bytes/content', {
      token: null,
      raw: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(nobody.status).toBe(401);
  });

  it('may have at most 16 MiB [choices-1.53]', async () => {
    const most = new Uint8Array(16 * 1024 * 1024).fill(10);
    await register(signed({ ...least('large'), sha256_hash: sha256(most) }));
    expect((await putContent(service, 'large', '1.0.0', most)).status).toBe(200);
    const more = await putContent(service, 'large', '1.0.0', new Uint8Array(16 * 1024 * 1024 + 1));
    expect(more).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });
});

describe('who', () => {
  it.each([
    ['viewer', [403, 200, 403, 403]],
    ['editor', [403, 200, 200, 403]],
    ['agent', [403, 200, 200, 403]],
    ['operator', [201, 200, 200, 403]],
    ['admin', [201, 200, 200, 200]],
  ] as const)('%s: register, read, run, revoke', async (who, statuses) => {
    await install(service, { tool_id: 'rights', content });
    const seen = [
      (await service.call('POST', '/v1/tools/manifests', { as: who, body: signed(least('rights')) })).status,
      (await service.call('GET', '/v1/tools/manifests/rights', { as: who })).status,
      (await runTool(service, 'rights', {}, who)).status,
      (await service.call('DELETE', '/v1/tools/manifests/rights?version=1.0.0', { as: who })).status,
    ];
    expect(seen).toEqual(statuses);
  });

  it('another tenant’s tools are invisible, even under the same name', async () => {
    await install(service, { tool_id: 'ours', content });
    for (const [method, path, body] of [
      ['GET', '/v1/tools/manifests/ours', undefined],
      ['DELETE', '/v1/tools/manifests/ours', undefined],
      ['POST', '/v1/tools/ours/run', { arguments: {} }],
    ] as const) {
      const missing = await service.call(method, path.replace('ours', 'nobodys'), { as: 'otheradmin', body });
      const theirs = await service.call(method, path, { as: 'otheradmin', body });
      expect(theirs.status).toBe(404);
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
    }
    expect((await putContent(service, 'ours', '1.0.0', content, 'other')).status).toBe(404);
    expect((await service.call('GET', '/v1/tools/manifests', { as: 'other' })).body.manifests).toEqual([]);
    const own = '#!/bin/sh\necho theirs\n';
    await install(service, { tool_id: 'ours', content: own, as: 'other' });
    expect((await runTool(service, 'ours', {}, 'other')).body.stdout).toBe('theirs\n');
    expect((await runTool(service, 'ours', { arguments: { a: 1 } })).body.stdout).toBe('{"a":1}');
  });
});
