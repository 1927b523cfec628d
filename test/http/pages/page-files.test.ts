// The files of the built pages: which paths have the page, with which headers, for whom, and what the audit keeps of it.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagePaths } from '../../../src/http/pages/page-paths.ts';
import { openService, type TestService } from '../../support/service.ts';
import { makePagesFolder, type PagesFolder } from '../../support/builders/pages-folder.ts';
import { expectUnauthenticated, signIn } from '../../support/client/credentials.ts';

const asset = '/v1/monitor/assets/main-0a1b2c3d.js';
const policy = `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

let pages: PagesFolder;
let service: TestService;
beforeAll(async () => {
  pages = await makePagesFolder();
  service = await openService({ pagesFolder: pages.path });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a path as it is written: `fetch` would resolve its dots. */
async function raw(requested: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>();
  const authorization = `Bearer ${service.token('viewer')}`;
  const { hostname, port } = new URL(service.url);
  httpRequest({ hostname, port, path: requested, method, headers: { authorization, ...headers } }, (response) => {
    const { statusCode: status = 0 } = response;
    buffer(response).then((body) => resolve({ status, headers: response.headers, body }), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('a page path', () => {
  it.each(pagePaths)('%s has the page, with every header of pages [ui-11.2, ui-7.1]', async (pattern) => {
    for (const one of [pattern.replaceAll(':id', 'some-thing'), `${pattern.replaceAll(':id', 'x')}/?status=failed`]) {
      const reply = await service.call('GET', one, { as: 'viewer' });
      expect([one, reply.status, reply.body]).toEqual([one, 200, pages.page]);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
        etag: expect.stringMatching(/^(W\/)?"/),
      });
      expect(reply.headers.get('permissions-policy')).toMatch(/camera=\(\).*clipboard-write=\(self\)$/);
      expect(reply.headers.get('vary')).toMatch(/^Accept, Authorization, Cookie\b/);
    }
  });

  it('answers HEAD, and 304 to whoever has the page', async () => {
    const head = await raw('/v1/monitor/tasks', {}, 'HEAD');
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(pages.page.length),
    ]);
    const again = await raw('/v1/monitor/tasks', { 'if-none-match': head.headers.etag ?? '' });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers['content-security-policy']).toBe(policy);
  });

  it('that does not exist is 404, also a part that does not exist [ui-11.2, ui-16.1]', async () => {
    const paths = [
      '/v1/monitor/nothing',
      '/v1/monitor/tasks/some-thing/nothing',
      '/v1/monitor/settings/nothing',
      '/v1/monitor/inspector/nothing',
      '/v1/monitor/tasks/some-thing/output/more',
      '/v1/monitor/assets/nothing.js',
      '/v1/monitor/assets',
      '/v1/monitor/nothing.svg',
      '/v1/monitor/index.html',
      '/v1/monitor/inputs.sha256',
      '/dashboard/nothing',
    ];
    for (const one of paths) expect([one, (await service.call('GET', one)).body.code]).toEqual([one, 'no_such_route']);
  });

  it('that leads out of the folder is 404', async () => {
    await writeFile(path.join(pages.path, '..', `${path.basename(pages.path)}.js`), 'secret');
    const outside = `${path.basename(pages.path)}.js`;
    const paths = [
      `/v1/monitor/assets/../../${outside}`,
      `/v1/monitor/assets/..%2f..%2f${outside}`,
      `/v1/monitor/assets/%2e%2e%2f%2e%2e%2f${outside}`,
      `/v1/monitor/assets/..%5c..%5c${outside}`,
      '/v1/monitor/assets/..',
      '/v1/monitor/assets/.',
      '/v1/monitor/assets/%2e%2e',
      '/v1/monitor/assets/main-0a1b2c3d.js%00',
      '/v1/monitor/assets//main-0a1b2c3d.js',
    ];
    for (const one of paths) expect([one, (await raw(one)).status]).toEqual([one, 404]);
    await rm(path.join(pages.path, '..', outside));
  });
});

describe('an asset', () => {
  it('is kept by the browser for ever, and comes compressed [ui-11.3]', async () => {
    const br = await raw(asset, { 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
      'content-security-policy': policy,
    });
    expect(br.headers.vary).toMatch(/accept-encoding/i);
    expect(brotliDecompressSync(br.body).toString()).toBe(pages.script);
    expect((await raw(asset, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    const plain = await raw(asset);
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, pages.script]);
    const single = await raw('/v1/monitor/assets/plain-0a1b2c3d.js', { 'accept-encoding': 'br' });
    expect([single.headers['content-encoding'], single.body.toString()]).toEqual([undefined, pages.script]);
  });

  it('needs a bearer token or the cookie, as build.json does [ui-7.5]', async () => {
    const { cookie } = await signIn(service, service.token('viewer'));
    for (const one of [asset, '/v1/monitor/build.json']) {
      expectUnauthenticated(await service.call('GET', one, { token: null, headers: { accept: '*/*' } }));
      expect((await service.call('GET', one, { token: null, headers: { cookie } })).status).toBe(200);
      expect((await service.call('GET', one, { as: 'agent' })).status).toBe(200);
    }
  });
});

it('build.json names the build and is never stored', async () => {
  const reply = await service.call('GET', '/v1/monitor/build.json');
  expect([reply.body, reply.headers.get('cache-control')]).toEqual([{ build: 'one' }, 'no-store']);
});

it('the audit has an entry for each navigation, and one a minute for all assets of a session [ui-7.5]', async () => {
  const { id, cookie } = await signIn(service, service.token('viewer'));
  const other = await signIn(service, service.token('viewer'));
  const get = (one: string, own = cookie) => service.call('GET', one, { token: null, headers: { cookie: own } });
  for (let i = 0; i < 3; i += 1) {
    await get('/v1/monitor/tasks');
    await get(asset);
    await get('/v1/monitor/assets/plain-0a1b2c3d.js');
  }
  await get(asset, other.cookie);
  await service.call('POST', '/v1/auth/sign-in-codes', { body: {} });
  const { body } = await service.call('POST', '/v1/audit/query', {
    body: { action: 'pages.read', limit: 200 },
  });
  const ours = body.events.filter(({ session_id: session }: { session_id: string }) => session === id);
  const count = (one: string) => ours.filter(({ resource }: { resource: string }) => resource === one).length;
  expect([count('/v1/monitor/tasks'), count(asset), ours.length]).toEqual([3, 1, 4]);
});

it('without a build every page is 503 with the command that builds them [ui-11.4]', async () => {
  await using bare = await openService({ pagesFolder: path.join(pages.path, 'nothing') });
  for (const one of ['/v1/monitor/', '/dashboard/ralph', '/v1/monitor/assets/x.js', '/v1/monitor/build.json']) {
    const { status, body } = await bare.call('GET', one, { headers: { accept: 'text/html' } });
    expect([one, status, body.code]).toEqual([one, 503, 'pages_not_built']);
    expect(body.detail).toContain('npm run build:ui');
  }
});
