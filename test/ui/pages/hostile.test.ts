// Hostile text in every field that can hold text, seen on every page: it stays text, and nothing that it hides is hidden.
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { HostileTexts } from '../support/hostile-texts.ts';
import { openMonitor, type Monitor, type OpenPageOptions } from '../support/monitor.ts';
import { strangeAttribute } from '../support/own-elements.ts';
import { pageAddresses } from '../support/page-addresses.ts';
import { settled, type PageView } from '../support/page-view.ts';
import { seedTenant, type SeededState, type TenantSeed } from '../support/seed.ts';

const webhookUrl = 'https://hooks.invalid/?q=javascript:alert(1)&x=onerror=alert(2)';

/** So many tenants' worth of data that each string stands in fields of several kinds; each is seen in a layout of its own. */
const passes: readonly {
  readonly look: OpenPageOptions;
  /** Tasks whose parts are all opened, beside those of the completed one. */
  readonly states: readonly SeededState[];
}[] = [
  { look: { role: 'admin' }, states: ['running', 'asking'] },
  { look: { role: 'operator', width: 390, theme: 'dark', direction: 'rtl' }, states: ['failed', 'pending'] },
  { look: { role: 'admin', width: 900 }, states: ['cancelled', 'followed'] },
];
const parts = ['output', 'changes', 'exchange', 'attempts', 'deliveries', 'who', 'raw'];

const texts = new HostileTexts();
const seeds: TenantSeed[] = [];
let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  const options = { text: texts.write, webhookUrl };
  monitor = await openMonitor(options);
  seeds.push(monitor.seed);
  while (seeds.length < passes.length) seeds.push(await seedTenant(monitor.service, options));
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

function addressesOf(seed: TenantSeed, states: readonly SeededState[]): string[] {
  const tasks = states.flatMap((state) => parts.map((part) => `/v1/monitor/tasks/${seed.tasks[state]}/${part}`));
  const sessions = `/v1/monitor/codebases/${seed.codebaseId}?part=sessions`;
  const made = `/v1/monitor/tasks/new?from=${seed.tasks[states[0] ?? 'completed']}`;
  return [
    ...pageAddresses(seed),
    ...tasks,
    sessions,
    made,
    `/v1/monitor/compare?ids=${Object.values(seed.tasks).slice(0, 4).join(',')}`,
  ];
}

/** What of the page is not ours: elements, attributes, addresses, characters, and texts that were changed. */
async function strangersOf({ page }: PageView): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')];
    const shown = elements
      // A text that is edited is the value itself.
      .flatMap((element) => (element.localName === 'textarea' ? [] : [...element.childNodes]))
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map(({ nodeValue }) => nodeValue ?? '');
    const { origin } = location;
    const pairs = elements.flatMap((element) =>
      [...element.attributes].map(({ name, value }) => ({
        tag: element.localName,
        name,
        value: value.startsWith(`${origin}/`) ? value.slice(origin.length) : value,
      })),
    );
    const bare = elements.map(({ localName }) => ({ tag: localName, name: '', value: '' }));
    return { pairs: [...bare, ...pairs], shown, title: document.title };
  });
  const spoken = seen.pairs.filter(({ name }) => /^(aria-label|title|placeholder|alt)$/.test(name));
  const read = [...seen.shown, ...spoken.map(({ value }) => value), seen.title];
  const strange = seen.pairs.map(strangeAttribute).filter((what) => what !== undefined);
  return [...strange, ...read.flatMap((text) => texts.wrongsOf(text))];
}

describe('what is not of the page', () => {
  it.each([
    { tag: 'iframe', name: '', value: '' },
    { tag: 'input', name: 'onfocus', value: 'alert(1)' },
    { tag: 'form', name: 'action', value: '/v1/monitor/' },
    { tag: 'meta', name: 'http-equiv', value: 'refresh' },
    { tag: 'script', name: 'src', value: '/v1/agent/tasks/x/artifacts/y' },
    { tag: 'a', name: 'href', value: 'javascript:alert(1)' },
    { tag: 'a', name: 'href', value: '//evil.example' },
  ])('is found: $tag $name $value', (attribute) => {
    expect(strangeAttribute(attribute)).toBeDefined();
  });

  it('is found: a hidden character, a text that lost or gained something', () => {
    const own = new HostileTexts();
    own.write('output');
    const text = own.write('title');
    expect(text).toBe(`${hostileStrings[1] ?? ''} w1e`);
    expect(own.wrongsOf(text)).toEqual([]);
    expect(own.wrongsOf('left \u202E right')).toHaveLength(1);
    expect(own.wrongsOf('script> w1e')).toEqual([]);
    expect(own.wrongsOf(text.replace('alert', ''))).toHaveLength(1);
    expect(own.wrongsOf(text.replaceAll('<', '&lt;'))).toHaveLength(1);
  });
});

describe.skipIf(chromiumProgram === undefined)('hostile text', () => {
  it.each(passes.map((pass, i) => ({ ...pass, i })))(
    'is text on every page for $look: no element, request, dialog or hidden character of its own, and all of it is shown [ui-7.2.1]',
    async ({ look, states, i }) => {
      const seed = seeds[i];
      if (seed === undefined) throw new Error('There is no such seed.');
      // The service stores no such character and refuses it; a proxy before it might put one into an answer.
      const isBroken = i === 2;
      await using view = await monitor.openPage({ ...look, expected: isBroken ? [/status of 400/] : [] });
      if (isBroken) await view.page.route('**/v1/**', breakCharacters);
      const strange: string[] = [];
      let told = 0;
      for (const [place, address] of addressesOf(seed, states).entries()) {
        await (place === 0 ? view.goto(address) : view.visit(address));
        await settled(view);
        if (await view.page.evaluate(openAll)) await settled(view);
        // A list of lines draws them after it has measured its place.
        if (address.endsWith(`/${seed.tasks.completed}/changes`))
          await view.page.getByText('secure: true,').first().waitFor();
        const faults = view.faults().slice(told);
        told += faults.length;
        strange.push(...[...(await strangersOf(view)), ...faults].map((what) => `${address}: ${what}`));
      }
      expect([...new Set(strange)]).toEqual([]);
    },
  );

  it('is written into more than thirty kinds of fields, and each is seen on some page', () => {
    expect(texts.fields().length).toBeGreaterThan(30);
    expect(texts.strings().length).toBeGreaterThan(hostileStrings.length - 5);
    // The text of an artifact is shown on request; progress is in no page.
    expect(texts.unseenFields()).toEqual(['artifact.text', 'progress']);
  });

  it('with a NUL is refused at its field, and stays there [ui-7.2.1]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks/new', expected: [/status of 400/] });
    const prompt = view.page.getByLabel('Prompt', { exact: true });
    await view.page.getByLabel('Title', { exact: true }).fill('Plain');
    await prompt.fill('a NUL \u0000 here');
    await view.page.keyboard.press('Control+Enter');
    await view.page.getByText('contains a NUL character or half of a surrogate pair').first().waitFor();
    await expect.poll(() => prompt.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => prompt.inputValue()).toBe('a NUL \u0000 here');
    expect(view.faults()).toEqual([]);
  });
});

/** Opens what is folded. @returns whether anything was */
function openAll(): boolean {
  const folded = document.querySelectorAll<HTMLDetailsElement>('details:not([open])');
  for (const details of folded) details.open = true;
  return folded.length > 0;
}

/** Puts a NUL and half of a surrogate pair before each mark in the answers. */
async function breakCharacters(route: Route): Promise<void> {
  const request = route.request();
  if (request.resourceType() !== 'fetch' || request.headers()['accept'] === 'text/event-stream')
    return route.continue();
  const response = await route.fetch();
  const body = await response.text();
  return route.fulfill({ response, body: texts.breakMarks(body) });
}
