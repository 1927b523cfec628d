// A Chromium for the bench of the pages: signed in, with what it measures of one page.
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { z } from 'zod';

const session = z.object({ session_id: z.string(), access_token: z.string(), expires_at: z.string() });

export interface SignedInBrowser extends AsyncDisposable {
  /** A page of a browser that has nothing cached. */
  openPage(): Promise<BenchPage>;
}

export interface BenchPage extends AsyncDisposable {
  readonly page: Page;
  readonly cdp: CDPSession;
}

/** @param program the path of Chromium */
export async function openBenchBrowser(program: string, url: string, token: string): Promise<SignedInBrowser> {
  const response = await fetch(`${url}/v1/auth/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(10_000),
  });
  const kept = JSON.stringify(session.parse(await response.json()));
  const [name = '', value = ''] = (response.headers.get('set-cookie')?.split(';', 1)[0] ?? '').split('=');
  const browser: Browser = await chromium.launch({ executablePath: program, chromiumSandbox: false });
  return {
    async openPage() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
      const page = await context.newPage();
      await page.addInitScript(`sessionStorage.setItem('switchyard_session', ${JSON.stringify(kept)});${noteHeading}`);
      const cdp = await context.newCDPSession(page);
      await cdp.send('Performance.enable');
      return { page, cdp, [Symbol.asyncDispose]: () => context.close() };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Runs before the page: notes when the first heading and the first row of the list are there. */
const noteHeading = `
  globalThis.benchTimes = {};
  new MutationObserver(() => {
    const times = globalThis.benchTimes;
    if (times.heading === undefined && document.querySelector('h1') !== null) times.heading = performance.now();
    if (times.row === undefined && document.querySelector('[role=row] a[href*="/tasks/"]') !== null) times.row = performance.now();
  }).observe(document, { childList: true, subtree: true });
`;

const times = z.object({ heading: z.number(), row: z.number() });

export interface BootFigures {
  /** Milliseconds from the navigation. */
  readonly headingMs: number;
  readonly firstRowMs: number;
  /** Scripts, styles, fonts and the document as the network carried them, headers included. */
  readonly fileBytes: number;
  /** Answers of the service's calls. */
  readonly dataBytes: number;
}

/** Loads the list of tasks. @param throttled as a phone: a CPU four times slower, 1.6 Mbit/s, 150 ms */
export async function measureBoot({ page, cdp }: BenchPage, url: string, throttled: boolean): Promise<BootFigures> {
  const bytes = { files: 0, data: 0 };
  const calls = new Set<string>();
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Fetch') calls.add(requestId);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes[calls.has(requestId) ? 'data' : 'files'] += encodedDataLength;
  });
  if (throttled) {
    const bytesPerSecond = 1_600_000 / 8;
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await page.goto(`${url}/v1/monitor/tasks`);
  await page.locator('[role=row] a[href*="/tasks/"]').first().waitFor();
  const { heading, row } = times.parse(await page.evaluate('globalThis.benchTimes'));
  return { headingMs: heading, firstRowMs: row, fileBytes: bytes.files, dataBytes: bytes.data };
}

export interface FrameFigures {
  readonly frames: number;
  /** Frames that took longer than 33 ms. */
  readonly late: number;
  readonly p95Ms: number;
}

const frameTimes = z.array(z.number());

/** Scrolls the longest part of the page for some seconds, there and back. @param speed in pixels a second */
export async function measureFrames({ page }: BenchPage, speed: number, seconds = 4): Promise<FrameFigures> {
  const deltas = frameTimes.parse(await page.evaluate(scrollScript(speed, seconds)));
  const sorted = deltas.toSorted((a, b) => a - b);
  return {
    frames: deltas.length,
    late: deltas.filter((ms) => ms > 33).length,
    p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN,
  };
}

function scrollScript(speed: number, seconds: number): string {
  return `new Promise((resolve) => {
    const scrolls = (element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
    const [longest] = [document.scrollingElement, ...[...document.querySelectorAll('body *')].filter(scrolls)]
      .toSorted((a, b) => b.scrollHeight - b.clientHeight - (a.scrollHeight - a.clientHeight));
    const deltas = [];
    let direction = longest.scrollTop > 1 ? -1 : 1;
    let begun, last;
    const step = (now) => {
      begun ??= now;
      if (last !== undefined) {
        deltas.push(now - last);
        const before = longest.scrollTop;
        longest.scrollTop = before + direction * ${speed} * (now - last) / 1000;
        if (longest.scrollTop === before) direction = -direction;
      }
      last = now;
      if (now - begun < ${seconds * 1000}) requestAnimationFrame(step);
      else resolve(deltas);
    };
    requestAnimationFrame(step);
  })`;
}

/** A page that has nothing but its height: the frames that this machine loses by itself. */
export async function showEmptyPage({ page }: BenchPage): Promise<void> {
  await page.goto('about:blank');
  await page.evaluate(`document.body.style.height = '2000000px'`);
}

export interface WeightFigures {
  readonly heapBytes: number;
  readonly nodes: number;
}

export async function measureWeight({ page, cdp }: BenchPage): Promise<WeightFigures> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const nodes = z.number().parse(await page.evaluate(`document.querySelectorAll('*').length`));
  return { heapBytes: metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN, nodes };
}

const durations = z.array(z.number());

/** Milliseconds from a key to the paint after it, as the browser measures it in steps of 8; 16 stands for less than 16. */
export async function measureKeys({ page }: BenchPage, keys: readonly string[]): Promise<number[]> {
  await page.evaluate(`
    globalThis.benchEvents = [];
    new PerformanceObserver((list) => benchEvents.push(...list.getEntries()
      .filter(({ interactionId }) => interactionId > 0)
      .map(({ duration }) => duration))).observe({ type: 'event', durationThreshold: 16 });
  `);
  const slowest: number[] = [];
  for (const key of keys) {
    await page.evaluate('void (globalThis.benchEvents.length = 0)');
    await page.keyboard.press(key);
    await page.evaluate(`new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => resolve()), 150))`);
    slowest.push(Math.max(16, ...durations.parse(await page.evaluate('globalThis.benchEvents'))));
  }
  return slowest;
}
