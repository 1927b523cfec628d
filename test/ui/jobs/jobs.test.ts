// Each job of a person, once by the keyboard alone and once by touch on a page of 390 pixels.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';
import { fingerOf, keyboardOf } from './hands.ts';
import { jobs } from './jobs.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  if (chromiumProgram !== undefined) world = await openWorld();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await world[Symbol.asyncDispose]();
});

describe.skipIf(chromiumProgram === undefined)('by the keyboard alone [ui-4.16.1, ui-4.16.3, ui-4.16.4]', () => {
  it.each(jobs)('$name [ui-12.9.3, ui-12.9.5]', async ({ role = 'operator', path = '/v1/monitor/tasks', walk }) => {
    await using view = await world.monitor.openPage({ role, path });
    await settled(view);
    await walk({ view, page: view.page, hands: keyboardOf(view.page), world });
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('by touch at 390 pixels [ui-4.5.25, ui-4.2.1, ui-4.2.2]', () => {
  it.each(jobs)('$name [ui-12.9.4, ui-12.9.5]', async ({ role = 'operator', path = '/v1/monitor/tasks', walk }) => {
    await using view = await world.monitor.openPage({ role, path, width: 390 });
    const { page } = view;
    await settled(view);
    await walk({ view, page, hands: fingerOf(page), world });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expectNoFaults(view);
  });
});
