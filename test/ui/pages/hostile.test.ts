// Hostile text in every field that can hold text, seen on every page: it stays text, and nothing that it hides is hidden.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanTitle } from '../../../ui/src/text/clean.ts';
import { endlessLine, hostileStrings } from '../support/hostile-strings.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { pageAddresses } from '../support/page-addresses.ts';
import { settled, type PageView } from '../support/page-view.ts';
import { seedTenant, type TenantSeed } from '../support/seed.ts';

const tags = new Set(
  'a abbr article aside bdi blockquote body br button canvas caption circle code col colgroup dd defs details div dl dt ellipse fieldset figcaption figure footer form g h1 h2 h3 h4 h5 h6 head header hr html input kbd label legend li line link main mark meta nav ol optgroup option p path polygon polyline pre rect script section select small span strong summary svg table tbody td textarea tfoot th thead time title tr tspan text em del ul use output datalist'.split(
    ' ',
  ),
);
const attributes =
  /^(aria-[a-z]+|data-[a-z-]+|accept|alt|as|autocapitalize|autocomplete|autocorrect|autofocus|charset|checked|class|color|colspan|content|crossorigin|cx|cy|d|datetime|dir|disabled|download|draggable|enterkeyhint|fill|fill-rule|for|height|hidden|href|id|inert|inputmode|lang|list|max|maxlength|media|min|minlength|multiple|name|novalidate|open|pathLength|pattern|placeholder|points|preserveAspectRatio|r|readonly|rel|required|role|rows|rowspan|rx|ry|scope|selected|size|spellcheck|src|start|step|stroke|stroke-[a-z]+|style|tabindex|target|title|transform|type|value|viewBox|width|wrap|x|x1|x2|xmlns|y|y1|y2)$/;
/** Characters that reorder, hide or control: none reaches the page, a mark stands in its place. */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u3164]/u;

/** So many tenants' worth of data that each string stands in fields of several kinds. */
const seedings = 3;
/** Field, plain text, and the text that was written in its place. */
const written: { readonly field: string; readonly text: string }[] = [];
let monitor: Monitor;
const seeds: TenantSeed[] = [];
let given = 0;

function hostileText(field: string): string {
  const isFirstOutput = field === 'output' && !written.some((one) => one.field === 'output');
  const text = isFirstOutput ? endlessLine : (hostileStrings[given % hostileStrings.length] ?? '');
  given += 1;
  written.push({ field, text });
  return text;
}

beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor({ text: hostileText });
  seeds.push(monitor.seed);
  while (seeds.length < seedings) seeds.push(await seedTenant(monitor.service, { text: hostileText }));
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

/** What of the page is not ours: elements, attributes, addresses, characters. */
async function strangersOf({ page }: PageView): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')];
    const shown = elements
      .flatMap((element) => [...element.childNodes])
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map(({ nodeValue }) => nodeValue ?? '');
    const pairs = elements.flatMap((element) =>
      [...element.attributes].map(({ name, value }) => ({ tag: element.localName, name, value })),
    );
    return { tags: [...new Set(elements.map(({ localName }) => localName))], pairs, shown, title: document.title };
  });
  const isOwnAddress = (value: string): boolean => /^(\/(?!\/)|#|\?|blob:|https?:\/\/|$)/.test(value);
  const spoken = seen.pairs
    .filter(({ name }) => /^(aria-|title$|placeholder$|alt$)/.test(name))
    .map(({ value }) => value);
  return [
    ...seen.tags.filter((tag) => !tags.has(tag)).map((tag) => `the element ${tag}`),
    ...seen.pairs.filter(({ name }) => !attributes.test(name)).map(({ tag, name }) => `the attribute ${tag}.${name}`),
    ...seen.pairs
      .filter(({ name, value }) => ['href', 'src'].includes(name) && !isOwnAddress(value))
      .map(({ tag, value }) => `the address ${value} of ${tag}`),
    ...[...seen.shown, ...spoken, seen.title]
      .filter((text) => hidden.test(text))
      .map((text) => `a hidden character in ${JSON.stringify(text.slice(0, 120))}`),
  ];
}

describe.skipIf(chromiumProgram === undefined)('hostile text', () => {
  it('stays text on every page: no element, request, dialog, error or hidden character of its own [ui-7.2.1]', async () => {
    const strange: string[] = [];
    await using view = await monitor.openPage({ role: 'admin' });
    let told = 0;
    // All seeds have the same lists: each is opened once.
    const addresses = seeds.flatMap((seed) => [
      ...pageAddresses(seed),
      ...Object.values(seed.tasks).map((id) => `/v1/monitor/tasks/${id}`),
    ]);
    for (const address of new Set(addresses)) {
      await view.goto(address);
      await settled(view);
      const faults = view.faults().slice(told);
      told += faults.length;
      strange.push(...[...(await strangersOf(view)), ...faults].map((what) => `${address}: ${what}`));
    }
    expect([...new Set(strange)]).toEqual([]);
  });

  it('is what the cleaner makes of it, in the heading of its task and in the title of the window', async () => {
    await using view = await monitor.openPage({ role: 'admin' });
    for (const { id } of await tasksOf(monitor)) {
      const { body } = await monitor.service.call('GET', `/v1/agent/tasks/${id}`);
      await view.goto(`/v1/monitor/tasks/${id}`);
      const heading = cleanTitle(body.task.title);
      await view.page.waitForFunction((text) => document.querySelector('h1')?.textContent === text, heading);
      expect(await view.page.title()).toContain(heading.replaceAll(/\s+/g, ' ').trim());
    }
  });

  it('is written into more than thirty kinds of fields', () => {
    expect(new Set(written.map(({ field }) => field)).size).toBeGreaterThan(30);
    expect(new Set(written.map(({ text }) => text)).size).toBeGreaterThan(hostileStrings.length - 5);
  });
});

async function tasksOf({ service }: Monitor): Promise<{ id: string }[]> {
  return (await service.call('GET', '/v1/agent/tasks?limit=20')).body.tasks;
}
