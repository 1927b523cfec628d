// Pages: who has no credential gets the sign-in page, but only a browser, and only where pages lie. choices-4.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prefersHtml } from '../../../src/http/pages/page-guard.ts';
import { openService, type TestService, type ApiReply } from '../../support/service.ts';
import { makePagesFolder, type PagesFolder } from '../../support/builders/pages-folder.ts';
import { expectUnauthenticated, signIn } from '../../support/client/credentials.ts';

let built: PagesFolder;
let service: TestService;
beforeAll(async () => {
  built = await makePagesFolder();
  service = await openService({ pagesFolder: built.path });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await built[Symbol.asyncDispose]();
});

/** As Firefox and Chromium ask for a page. */
const navigation = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const pages = [
  '/v1/monitor/',
  '/v1/monitor/index.html',
  '/dashboard',
  '/dashboard/',
  '/dashboard/tasks/1',
  '/docs',
  '/docs/',
];

function open(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<ApiReply> {
  return service.call(method, path, { token: null, headers: { accept: navigation, ...headers } });
}

describe('an unauthenticated request', () => {
  it.each(pages)('of a browser for the page %s is 401 with the sign-in page [choices-4.45]', async (path) => {
    const reply = await open(path);
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.body).toContain('<title>Sign in · Switchyard</title>');
  });

  it('is 401 with JSON for anything else [choices-4.47]', async () => {
    expect(pages.length).toBeGreaterThan(0);
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/css', '']) {
      for (const path of pages) expectUnauthenticated(await open(path, { accept }));
    }
    for (const path of ['/v1/monitor/workers', '/v1/agent/tasks', '/v1/auth/me', '/v1/nothing', '/docsy', '/']) {
      expectUnauthenticated(await open(path));
    }
    expectUnauthenticated(await open('/dashboard/', {}, 'POST'));
  });
});

describe('the sign-in page', () => {
  it('is self-contained, and its policy allows nothing else [choices-4.46]', async () => {
    const { body, headers } = await open('/dashboard/');
    expect(body).not.toMatch(/\b(src|href|action)=|@import|url\(|https?:/);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; /);
    expect(policy).not.toContain('unsafe');
    for (const rule of [`connect-src 'self'`, `form-action 'none'`, `frame-ancestors 'none'`, `base-uri 'none'`]) {
      expect(policy).toContain(rule);
    }
    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ] as const) {
      const text = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(body)?.[1] ?? '';
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      expect(policy).toContain(`${directive} 'sha256-${Buffer.from(digest).toString('base64')}'`);
    }
    // It says who it is for, and its field has a name that is read out.
    expect(body).toMatch(/<html lang="en">/);
    expect(body).toMatch(/<label for="token">/);
    expect(body).toMatch(/role="alert"/);
  });
});

describe('the cookie of a session', () => {
  it('opens page files [choices-4.48]', async () => {
    const { cookie, token } = await signIn(service, service.token('viewer'));
    // If there is no such page, a caller who may enter learns just that.
    for (const path of pages) {
      const replies = [
        await open(path, { cookie }),
        await open(path, { cookie: `theme=dark; ${cookie}; x=y` }),
        await service.call('GET', path, { token, headers: { accept: navigation } }),
      ];
      for (const { status, body } of replies) {
        expect([path, status === 200 || body.code === 'no_such_route']).toEqual([path, true]);
        expect(JSON.stringify(body)).not.toContain('Sign in');
      }
    }
  });

  it('has a secret of its own, which is no bearer token of anything, pages included [ui-6.14.7]', async () => {
    const { cookie, token } = await signIn(service, service.token('admin'));
    const secret = cookie.slice(cookie.indexOf('=') + 1);
    expect(secret).not.toBe(token);
    for (const path of ['/v1/auth/me', '/v1/agent/tasks', '/v1/monitor/', '/v1/monitor/build.json']) {
      expectUnauthenticated(await service.call('GET', path, { token: secret }));
    }
    for (const path of ['/v1/auth/sessions', '/v1/auth/sign-in-codes', '/mcp', '/a2a/jsonrpc']) {
      expectUnauthenticated(await service.call('POST', path, { token: secret, body: {} }));
    }
    // The session's bearer token and other tokens are no cookie.
    for (const other of [token, service.token('admin')]) {
      expect((await open('/v1/monitor/', { cookie: `switchyard_session=${other}` })).status).toBe(401);
    }
    const text = JSON.stringify(await service.db.query('select * from sign_in_sessions'));
    expect(text).not.toContain(secret);
  });

  it('is no credential for operations: a data call without a bearer token is 401 [choices-4.48, choices-4.49]', async () => {
    const { cookie } = await signIn(service, service.token('admin'));
    expect(service.instance.operations.length).toBeGreaterThan(40);
    for (const { method, path } of service.instance.operations) {
      const reply = await service.call(method, path.replaceAll(/\/:\w+/g, '/x'), {
        token: null,
        headers: { cookie, accept: navigation },
      });
      expectUnauthenticated(reply);
    }
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } };
    for (const path of ['/a2a/jsonrpc', '/v1/a2a', '/']) {
      expectUnauthenticated(await service.call('POST', path, { token: null, headers: { cookie }, body: rpc }));
    }
  });

  it('is removed when invalid, and does not hide a wrong bearer token', async () => {
    const { id, cookie, token } = await signIn(service, service.token('viewer'));
    const wrong = await service.call('GET', '/dashboard/', { token: 'wrong', headers: { cookie, accept: navigation } });
    expect(wrong.status).toBe(401);
    for (const odd of ['switchyard_session=', 'switchyard_session=x', `${cookie}; ${cookie}`, `x${cookie}`]) {
      expect([odd, (await open('/dashboard/', { cookie: odd })).status]).toEqual([odd, 401]);
    }
    await service.call('DELETE', `/v1/auth/sessions/${id}`, { token });
    const ended = await open('/dashboard/', { cookie });
    expect(ended.status).toBe(401);
    expect(ended.headers.get('set-cookie')).toMatch(/^switchyard_session=; Max-Age=0; Path=\//);
    // A link from another site comes without the cookie, and maybe with others': what the browser has, it keeps.
    expect((await open('/dashboard/', { cookie: 'theme=dark' })).headers.get('set-cookie')).toBeNull();
  });
});

describe('a request prefers a page', () => {
  it.each([
    [navigation, true],
    ['text/html', true],
    ['text/html, */*', true],
    ['TEXT/HTML;Q=0.9, application/json;q=0.8', true],
    ['text/html, application/json', false],
    ['text/html;q=0.5, */*', false],
    ['text/html;q=0', false],
    ['text/*', false],
    ['*/*', false],
    ['text/html;q=nonsense', false],
    ['', false],
    [undefined, false],
  ])('by Accept: %s → %s', (accept, page) => {
    expect(prefersHtml(accept)).toBe(page);
  });
});
