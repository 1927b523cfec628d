// The script of the sign-in page, run against the service with a page of four elements around it.
import { createContext, Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderSignInPage } from '../../../src/http/pages/sign-in-page.ts';
import { openService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { makeKey, me } from '../../support/client/credentials.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Page {
  readonly field: { value: string };
  readonly button: { disabled: boolean };
  readonly wrong: { textContent: string };
  readonly stored: Map<string, string>;
  /** Addresses that were asked, with their headers. */
  readonly requests: { path: string; authorization: string }[];
  /** Addresses that the page was left for. */
  readonly opened: string[];
  /** The address in the browser's bar. */
  address: string;
  /** Presses the button; resolves when the page is done with it. */
  submit(token: string): Promise<void>;
}

interface Opening {
  /** The fragment of the address. */
  readonly hash?: string;
  /** Whether the page may open its address once more. */
  readonly retry?: 'never' | 'once' | 'always';
  readonly stored?: Map<string, string>;
}

/** The page in a browser that knows these few things; what else the script reached for would be an error. */
function openPage({ hash = '', retry = 'never', stored = new Map() }: Opening = {}): Page {
  const text = /<script>(.*)<\/script>/s.exec(renderSignInPage().html(retry))?.[1] ?? '';
  let pressed: ((event: { preventDefault(): void }) => Promise<void>) | undefined;
  const elements = {
    form: {
      addEventListener: (_name: string, listener: typeof pressed) => {
        pressed = listener;
      },
    },
    input: { value: '', focus: () => {}, setAttribute: () => {} },
    button: { disabled: false },
    '#wrong': { textContent: '' },
  };
  const page: Page = {
    field: elements.input,
    button: elements.button,
    wrong: elements['#wrong'],
    stored,
    requests: [],
    opened: [],
    address: `/docs?a=b${hash}`,
    async submit(token) {
      elements.input.value = token;
      await pressed?.({ preventDefault: () => {} });
    },
  };
  const context = createContext({
    document: {
      querySelector: (name: keyof typeof elements) => elements[name],
      body: { dataset: { retry } },
    },
    sessionStorage: {
      getItem: (key: string) => page.stored.get(key) ?? null,
      setItem: (key: string, value: string) => page.stored.set(key, value),
    },
    URLSearchParams,
    history: {
      state: null,
      replaceState: (_state: unknown, _title: string, address: string) => {
        page.address = address;
      },
    },
    location: { hash, pathname: '/docs', search: '?a=b', replace: (address: string) => page.opened.push(address) },
    fetch: (path: string, init: { headers: { authorization: string } }) => {
      page.requests.push({ path, authorization: init.headers.authorization });
      return fetch(`${service.url}${path}`, init);
    },
  });
  new Script(text).runInContext(context);
  return page;
}

describe('the sign-in page', () => {
  it('exchanges a pasted token for a session, keeps its bearer token for this tab and opens the page [choices-4.46]', async () => {
    const { key } = await makeKey(service, 'editor', { scopes: ['tasks:read'] });
    const page = openPage();
    await page.submit(`  ${key}\n`);
    expect(page).toMatchObject({
      opened: ['/docs?a=b'],
      wrong: { textContent: '' },
      field: { value: '' },
      button: { disabled: false },
    });
    expect(page.requests).toEqual([{ path: '/v1/auth/sessions', authorization: `Bearer ${key}` }]);
    const kept = JSON.parse(page.stored.get('switchyard_session') ?? '');
    expect(Object.keys(kept).toSorted()).toEqual(['access_token', 'expires_at', 'session_id']);
    expect((await me(service, kept.access_token)).body).toMatchObject({
      credential: 'session',
      scopes: ['tasks:read'],
    });
  });

  it('takes the code out of the address first, and signs in by it [ui-6.14.8]', async () => {
    const { code } = (await service.call('POST', '/v1/auth/sign-in-codes', { as: 'editor', body: {} })).body;
    const page = openPage({ hash: `#code=${code}`, retry: 'always' });
    expect(page.address).toBe('/docs?a=b');
    await until('the page was opened', () => page.opened.length === 1);
    expect(page.requests).toEqual([{ path: '/v1/auth/sessions', authorization: `Bearer ${code}` }]);
    const kept = JSON.parse(page.stored.get('switchyard_session') ?? '');
    expect((await me(service, kept.access_token)).body).toMatchObject({
      subject: 'token:editor',
      credential: 'session',
    });

    const again = openPage({ hash: `#code=${code}` });
    await until('the refusal stands there', () => again.wrong.textContent !== '');
    expect(again.wrong.textContent).toMatch(/token is not valid.*used already/);
    expect(again.opened).toEqual([]);
  });

  it('opens its address once more after a link of another site, and only once [ui-6.14.9]', () => {
    const first = openPage({ retry: 'once' });
    expect(first.opened).toEqual(['/docs?a=b']);
    expect(openPage({ retry: 'once', stored: first.stored }).opened).toEqual([]);
    expect(openPage({ retry: 'always', stored: first.stored }).opened).toEqual(['/docs?a=b']);
    expect(openPage({ retry: 'never' }).opened).toEqual([]);
  });

  it('shows errors, and sends nothing that cannot be a token', async () => {
    const page = openPage();
    await page.submit('not a token');
    expect(page.requests).toEqual([]);
    expect(page.wrong.textContent).toMatch(/not valid/);
    await page.submit('ct_wrong');
    expect(page.wrong.textContent).toMatch(/not valid/);
    expect(page).toMatchObject({ opened: [], button: { disabled: false } });
    await until('too many wrong tokens', async () => {
      await page.submit('ct_wrong');
      return /Too many/.test(page.wrong.textContent);
    });
    expect(page.stored.size).toBe(0);
  });
});
