// Tabs that tests share one after the other: a new browser context loads and compiles all scripts anew, four times the work.
import type { Browser, BrowserContext } from 'playwright-core';
import {
  isPhone,
  openContext,
  openTab,
  viewportOf,
  type BrowserSession,
  type PageView,
  type Tab,
  type ViewOptions,
} from './page-view.ts';

interface FreeTab {
  readonly context: BrowserContext;
  readonly tab: Tab;
}

export class TabPool {
  readonly #browser: Browser;
  readonly #url: string;
  /** A phone has touch, which a context has for ever. */
  readonly #free = { phone: new Array<FreeTab>(), desktop: new Array<FreeTab>() };

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  /** A view whose storage, cookie, routes and window are as new. */
  async open(session: BrowserSession, options: ViewOptions): Promise<PageView> {
    const free = this.#free[isPhone(options) ? 'phone' : 'desktop'];
    const { context, tab } = free.pop() ?? (await this.#openTab(options));
    await tab.page.setViewportSize(viewportOf(options));
    await tab.page.emulateMedia({ colorScheme: options.theme ?? 'light', reducedMotion: null, forcedColors: null });
    const whenDone = async (): Promise<void> => {
      if (await isCleared(tab)) free.push({ context, tab });
      else await context.close();
    };
    return tab.show({ ...options, session, isAnew: true, whenDone });
  }

  async #openTab(options: ViewOptions): Promise<FreeTab> {
    const context = await openContext(this.#browser, options);
    return { context, tab: await openTab(context, this.#url) };
  }
}

/** Its streams end, and nothing of it is at work while another view is shown. @returns false when the page was closed */
async function isCleared({ page }: Tab): Promise<boolean> {
  if (page.isClosed()) return false;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  return true;
}
