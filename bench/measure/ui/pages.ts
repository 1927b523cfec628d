// The measurements of the pages: each in a new browser context, several rounds, medians.
import { median } from '../statistics.ts';
import {
  measureBoot,
  measureFrames,
  measureKeys,
  measureWeight,
  showEmptyPage,
  type BenchPage,
  type BootFigures,
  type FrameFigures,
  type SignedInBrowser,
  type WeightFigures,
} from './browser.ts';
import type { UiSeed, UiSeedSize } from './seed.ts';

export interface ViewFigures extends WeightFigures {
  readonly name: string;
  /** Figures of an empty page in the same round. */
  readonly empty: FrameFigures;
  readonly slow: FrameFigures;
  readonly flick: FrameFigures;
}

export interface UiFigures {
  readonly size: UiSeedSize;
  readonly rounds: number;
  readonly load: number;
  readonly boot: BootFigures;
  readonly throttledBoot: BootFigures;
  readonly views: readonly ViewFigures[];
  /** By key, in milliseconds. */
  readonly keys: readonly { readonly view: string; readonly key: string; readonly ms: number }[];
}

export interface UiBench {
  readonly url: string;
  readonly browser: SignedInBrowser;
  readonly seed: UiSeed;
  readonly rounds: number;
  readonly log: (line: string) => void;
}

/** Pixels a second. */
const slowSpeed = 3_600;
const flickSpeed = 90_000;

interface View {
  readonly name: string;
  readonly path: string;
  /** Elements of the page once it shows its content. */
  readonly shown: string;
  readonly keys: readonly string[];
}

function viewsOf({ logTask, diffTask }: UiSeed): readonly View[] {
  return [
    {
      name: 'list of tasks',
      path: '/v1/monitor/tasks',
      shown: '[role=row] a[href*="/tasks/"]',
      keys: ['j', 'k', 'x', '?', 'Escape', 'Control+k'],
    },
    { name: 'growing log', path: `/v1/monitor/tasks/${logTask}/output`, shown: '[role=log]', keys: ['w', 't', 'o'] },
    { name: 'large diff', path: `/v1/monitor/tasks/${diffTask}/changes`, shown: '.diff', keys: ['j', 'J'] },
  ];
}

export async function measurePages(bench: UiBench): Promise<Omit<UiFigures, 'size' | 'load'>> {
  const { url, browser, rounds, log } = bench;
  const boots = { plain: new Array<BootFigures>(), throttled: new Array<BootFigures>() };
  const views = viewsOf(bench.seed).map((view) => ({
    view,
    figures: new Array<ViewFigures>(),
    keys: new Array<number[]>(),
  }));
  for (let round = 1; round <= rounds; round += 1) {
    log(`round ${round} of ${rounds}`);
    for (const throttled of [false, true]) {
      await using page = await browser.openPage();
      boots[throttled ? 'throttled' : 'plain'].push(await measureBoot(page, url, throttled));
    }
    for (const { view, figures, keys } of views) {
      await using page = await browser.openPage();
      figures.push(await measureView(page, url, view));
      keys.push(await measureKeys(page, view.keys));
    }
  }
  return {
    rounds,
    boot: middleBoot(boots.plain),
    throttledBoot: middleBoot(boots.throttled),
    views: views.map(({ view, figures }) => middleView(view.name, figures)),
    keys: views.flatMap(({ view, keys }) =>
      view.keys.map((key, i) => ({ view: view.name, key, ms: median(keys.map((times) => times[i] ?? Number.NaN)) })),
    ),
  };
}

async function measureView(page: BenchPage, url: string, { name, path, shown }: View): Promise<ViewFigures> {
  await showEmptyPage(page);
  const empty = await measureFrames(page, flickSpeed);
  await page.page.goto(`${url}${path}`);
  await page.page.locator(shown).first().waitFor({ timeout: 60_000 });
  const slow = await measureFrames(page, slowSpeed);
  const flick = await measureFrames(page, flickSpeed);
  return { name, empty, slow, flick, ...(await measureWeight(page)) };
}

function middleBoot(all: readonly BootFigures[]): BootFigures {
  return {
    headingMs: median(all.map(({ headingMs }) => headingMs)),
    firstRowMs: median(all.map(({ firstRowMs }) => firstRowMs)),
    fileBytes: median(all.map(({ fileBytes }) => fileBytes)),
    dataBytes: median(all.map(({ dataBytes }) => dataBytes)),
  };
}

function middleView(name: string, all: readonly ViewFigures[]): ViewFigures {
  return {
    name,
    empty: middleFrames(all.map(({ empty }) => empty)),
    slow: middleFrames(all.map(({ slow }) => slow)),
    flick: middleFrames(all.map(({ flick }) => flick)),
    heapBytes: median(all.map(({ heapBytes }) => heapBytes)),
    nodes: median(all.map(({ nodes }) => nodes)),
  };
}

function middleFrames(all: readonly FrameFigures[]): FrameFigures {
  return {
    frames: median(all.map(({ frames }) => frames)),
    late: median(all.map(({ late }) => late)),
    p95Ms: median(all.map(({ p95Ms }) => p95Ms)),
  };
}
