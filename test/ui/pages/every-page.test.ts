// Every page by its address: for each role, in light and dark, wide and on a phone, in a longer language and from right to left.
// By default each page meets every role or layout with some other of the two; SCALE=full takes the whole product.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor, type OpenPageOptions } from '../support/monitor.ts';
import { pageAddresses } from '../support/page-addresses.ts';
import { settled, type PageView } from '../support/page-view.ts';

const roles = ['admin', 'operator', 'editor', 'viewer', 'agent'] as const;
const layouts = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 390, words: 'pseudo' },
  { theme: 'dark', width: 1280, words: 'pseudo', direction: 'rtl' },
  { theme: 'light', width: 390, direction: 'rtl' },
  { theme: 'light', width: 900, words: 'pseudo' },
] as const satisfies readonly OpenPageOptions[];
const isFull = process.env['SCALE'] === 'full';

let monitor: Monitor;
let addresses: readonly string[];
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
  addresses = pageAddresses(monitor.seed);
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const visits = roles.flatMap((role, i) =>
  layouts.map((layout, j) => ({
    role,
    layout,
    name: Object.values(layout).join(' '),
    /** Three of five roles for each page, in a layout of their own each; the next page has the next ones. */
    takes: (page: number): boolean => isFull || ((page + i) % layouts.length === j && (page + i) % roles.length < 3),
  })),
);

/** What is wrong with the page as it stands. */
async function wrongsOf(view: PageView, width: number): Promise<string[]> {
  await settled(view);
  const { page } = view;
  const seen = await page.evaluate(async () => ({
    headings: [...document.querySelectorAll('h1')].map((heading) => heading.textContent),
    title: document.title.replace(/^\(\d+\) /, ''),
    width: document.documentElement.scrollWidth,
    cookie: document.cookie,
    databases: (await indexedDB.databases()).length,
    local: Object.keys(localStorage),
    session: Object.entries(sessionStorage),
    token: sessionStorage.getItem('switchyard_session')?.split('"access_token":"')[1]?.split('"')[0] ?? 'no token',
  }));
  const [heading = ''] = seen.headings;
  const wrongs = [
    seen.headings.length === 1 ? [] : `has ${String(seen.headings.length)} headings of the first level`,
    heading !== '' && seen.title.startsWith(heading)
      ? []
      : `has the heading “${heading}” and the title “${seen.title}”`,
    seen.width === width ? [] : `is ${String(seen.width)} pixels wide`,
    seen.cookie === '' && seen.databases === 0 ? [] : 'keeps a cookie or a database that its scripts can read',
    seen.local.filter((key) => key !== 'switchyard_display').map((key) => `keeps ${key} in localStorage`),
    seen.session
      .filter(([key, value]) => key !== 'switchyard_session' && String(value).includes(seen.token))
      .map(([key]) => `keeps a token as ${key} in sessionStorage`),
  ];
  return [...wrongs.flat(), ...(await violationsOf(page))];
}

describe.skipIf(chromiumProgram === undefined)('every page', () => {
  it.for(visits)(
    'for $role, $name: opens, is accessible, fits, and keeps nothing [ui-13.1, ui-8.1, ui-7.3, core-1.6, core-4.5.1]',
    async (visit) => {
      const { role, layout, takes } = visit;
      await using view = await monitor.openPage({ role, ...layout });
      const wrongs: string[] = [];
      let told = 0;
      for (const [i, address] of addresses.entries()) {
        if (!takes(i)) continue;
        await view.goto(address);
        const found = await wrongsOf(view, layout.width);
        const faults = view.faults().slice(told);
        told += faults.length;
        wrongs.push(...[...found, ...faults].map((wrong) => `${address} ${wrong}`));
      }
      expect(wrongs).toEqual([]);
    },
  );
});
