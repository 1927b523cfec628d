// Every page for each role: by its address and by a link, in light and dark, wide and on a phone, in a longer language and from
// right to left. Each two of these meet on some page, and each page meets each of them; SCALE=full takes the whole product.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { violationsOf } from '../support/accessible.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { pageAddresses } from '../support/page-addresses.ts';
import { missingPairs, pageFactors, planAllVisits, planVisits, type PageVisit } from '../support/page-plan.ts';
import { settled, type PageView } from '../support/page-view.ts';
import { pagePaths } from '../../../src/http/pages/page-paths.ts';

const isFull = process.env['SCALE'] === 'full';
const plan = (isFull ? planAllVisits : planVisits)(pagePaths.length);

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

interface SeenPage {
  readonly headings: readonly string[];
  readonly title: string;
  readonly width: number;
  readonly cookie: string;
  readonly databases: number;
  readonly local: readonly string[];
  readonly session: readonly (readonly [key: string, value: string])[];
  readonly token: string;
  /** Elements with their roles and states, without their texts: what axe judges, but for layout and colours. */
  readonly frame: string;
  readonly main: string;
}

async function see({ page }: PageView): Promise<SeenPage> {
  return page.evaluate(async () => {
    const states = ['role', 'type', 'tabindex', 'disabled', 'hidden', 'aria-disabled', 'aria-expanded', 'aria-hidden'];
    const names = ['href', 'title', 'alt', 'for', 'aria-label', 'aria-labelledby', 'aria-describedby'];
    const structureOf = (elements: Iterable<Element>): string =>
      [...elements]
        .map((element) =>
          [
            element.localName,
            ...states.map((name) => element.getAttribute(name)),
            ...names.map((name) => element.hasAttribute(name)),
          ].join(' '),
        )
        .join('\n');
    return {
      headings: [...document.querySelectorAll('h1')].map((heading) => heading.textContent),
      title: document.title.replace(/^\(\d+\) /, ''),
      width: document.documentElement.scrollWidth,
      cookie: document.cookie,
      databases: (await indexedDB.databases()).length,
      local: Object.keys(localStorage),
      session: Object.entries(sessionStorage).map(([key, value]): [string, string] => [key, String(value)]),
      token: sessionStorage.getItem('switchyard_session')?.split('"access_token":"')[1]?.split('"')[0] ?? 'no token',
      frame: structureOf(document.querySelectorAll('body *:not(main *)')),
      main: structureOf(document.querySelectorAll('main *')),
    };
  });
}

/** Faults of the page as it stands, accessibility aside. */
function wrongsOf(seen: SeenPage, width: number): string[] {
  const [heading = ''] = seen.headings;
  return [
    seen.headings.length === 1 ? [] : `has ${String(seen.headings.length)} headings of the first level`,
    heading !== '' && seen.title.startsWith(heading)
      ? []
      : `has the heading “${heading}” and the title “${seen.title}”`,
    seen.width === width ? [] : `is ${String(seen.width)} pixels wide`,
    seen.cookie === '' && seen.databases === 0 ? [] : 'keeps a cookie or a database that its scripts can read',
    seen.local.filter((key) => key !== 'switchyard_display').map((key) => `keeps ${key} in localStorage`),
    seen.session
      .filter(([key, value]) => key !== 'switchyard_session' && value.includes(seen.token))
      .map(([key]) => `keeps a token as ${key} in sessionStorage`),
  ].flat();
}

const judged = new Set<string>();

/** Whether axe has not yet judged one of these. They count as judged from now on. */
function isNews(keys: readonly string[]): boolean {
  const news = keys.filter((key) => !judged.has(key));
  for (const key of news) judged.add(key);
  return news.length > 0;
}

/** Axe judges each frame in each layout, each content, and each page on either device, in either theme and direction. */
async function accessWrongsOf(view: PageView, seen: SeenPage, visit: PageVisit): Promise<string[]> {
  const { page, width, theme, words, direction } = visit;
  const layout = [width === 390 ? 'phone' : 'desktop', theme, direction];
  const isNewFrame = isNews([`${theme} ${width} ${seen.frame}`]);
  const isNewMain = isNews(
    isFull
      ? [`${layout.join()} ${width} ${words} ${seen.main}`]
      : [seen.main, ...layout.map((value) => `${page} ${value}`)],
  );
  if (isNewFrame) return violationsOf(view.page);
  return isNewMain ? violationsOf(view.page, 'main') : [];
}

describe('the plan of the visits', () => {
  it('lets each two values meet: page, role, width, theme, language, direction [ui-13.1]', () => {
    expect(missingPairs(plan, pagePaths.length)).toEqual([]);
  });
});

describe.skipIf(chromiumProgram === undefined)('every page', () => {
  const groups = Map.groupBy(plan, (visit) => {
    const { role, width, words, direction } = visit;
    return `${role} on a ${width === 390 ? 'phone' : 'desktop'}, ${words} ${direction}`;
  });
  it.each([...groups])(
    'for %s: opens, is accessible, fits, and keeps nothing [ui-13.1, ui-8.1, ui-7.3, ui-4.15.9, core-1.6, core-4.5.1]',
    async (_, visits) => {
      const [first] = visits;
      if (first === undefined) return;
      await using view = await monitor.openPage(first);
      const wrongs: string[] = [];
      let told = 0;
      for (const visit of visits) {
        const { page, role, width, theme } = visit;
        const address = addresses[page] ?? '';
        await view.page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
        await view.page.emulateMedia({ colorScheme: theme });
        // One role in turn has the page by its address, the others by a link.
        const isByAddress = visit === first || pageFactors.role[page % pageFactors.role.length] === role;
        await (isByAddress ? view.goto(address) : view.visit(address));
        await settled(view);
        const seen = await see(view);
        const found = [...wrongsOf(seen, width), ...(await accessWrongsOf(view, seen, visit))];
        const faults = view.faults().slice(told);
        told += faults.length;
        wrongs.push(...[...found, ...faults].map((wrong) => `${address} at ${width}, ${theme}: ${wrong}`));
      }
      expect(wrongs).toEqual([]);
    },
  );
});
