// The script of the sign-in page, run against the house with a page of four elements around it.
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
  reloads: number;
  /** Presses the button; resolves when the page is done with it. */
  submit(token: string): Promise<void>;
}

/** The page in a browser that knows these few things; what else the script reached for would be an error. */
function openPage(): Page {
  const text = /<script>(.*)<\/script>/s.exec(renderSignInPage().html)?.[1] ?? '';
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
    stored: new Map(),
    requests: [],
    reloads: 0,
    async submit(token) {
      elements.input.value = token;
      await pressed?.({ preventDefault: () => {} });
    },
  };
  const context = createContext({
    document: { querySelector: (name: keyof typeof elements) => elements[name] },
    sessionStorage: { setItem: (key: string, value: string) => page.stored.set(key, value) },
    location: {
      reload: () => {
        page.reloads += 1;
      },
    },
    fetch: (path: string, init: { headers: { authorization: string } }) => {
      page.requests.push({ path, authorization: init.headers.authorization });
      return fetch(`${service.url}${path}`, init);
    },
  });
  new Script(text).runInContext(context);
  return page;
}

describe('the sign-in page', () => {
  it('exchanges a pasted token for a session, keeps its bearer token for this tab and reloads the page [choices-4.46]', async () => {
    const { key } = await makeKey(service, 'editor', { scopes: ['tasks:read'] });
    const page = openPage();
    await page.submit(`  ${key}\n`);
    expect(page).toMatchObject({
      reloads: 1,
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

  it('shows errors, and sends nothing that cannot be a token', async () => {
    const page = openPage();
    await page.submit('not a token');
    expect(page.requests).toEqual([]);
    expect(page.wrong.textContent).toMatch(/not valid/);
    await page.submit('ct_wrong');
    expect(page.wrong.textContent).toMatch(/not valid/);
    expect(page).toMatchObject({ reloads: 0, button: { disabled: false } });
    await until('too many wrong tokens', async () => {
      await page.submit('ct_wrong');
      return /Too many/.test(page.wrong.textContent);
    });
    expect(page.stored.size).toBe(0);
  });
});
