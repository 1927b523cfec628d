// A person at a page: with a keyboard alone, or with a finger on a phone. A job is done by either, and by nothing else.
import type { Locator, Page } from 'playwright-core';

export type PlaceName =
  | 'Overview'
  | 'Questions'
  | 'Tasks'
  | 'Runs'
  | 'Conversations'
  | 'Fleet'
  | 'Codebases'
  | 'Costs'
  | 'Audit'
  | 'Inspector'
  | 'Settings';

export interface Hands {
  readonly device: 'keyboard' | 'touch';
  /** Opens a page of the side bar. */
  go(place: PlaceName): Promise<void>;
  /** Presses a button, a link or a checkbox. */
  press(control: Locator): Promise<void>;
  /** Does what has a key of its own and a control, too. */
  act(key: string, control: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** Chooses in a menu of the browser. */
  choose(menu: Locator, label: string): Promise<void>;
}

const keyOfPlace: Readonly<Record<PlaceName, string>> = {
  Overview: 'o',
  Questions: 'q',
  Tasks: 't',
  Runs: 'r',
  Conversations: 'c',
  Fleet: 'f',
  Codebases: 'b',
  Costs: 'u',
  Audit: 'a',
  Inspector: 'i',
  Settings: 's',
};

/** Tab, Shift+Tab and the keys that the pages name. */
export function keyboardOf(page: Page): Hands {
  const press = async (control: Locator): Promise<void> => {
    await tabTo(page, control);
    const isBox = await control.evaluate((element) => element.matches('[type=checkbox], summary'));
    await page.keyboard.press(isBox ? 'Space' : 'Enter');
  };
  return {
    device: 'keyboard',
    press,
    async go(place) {
      await page.keyboard.press('g');
      await page.keyboard.press(keyOfPlace[place]);
    },
    async act(key, control) {
      await control.waitFor();
      await page.keyboard.press(key);
    },
    async write(field, text) {
      await tabTo(page, field);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
    async choose(menu, label) {
      await tabTo(page, menu);
      await page.keyboard.type(label);
    },
  };
}

const inBar: readonly PlaceName[] = ['Overview', 'Questions', 'Tasks'];

/** Taps, and what the phone's own keyboard and menus do. */
export function fingerOf(page: Page): Hands {
  const bar = page.getByRole('navigation', { name: 'Pages' });
  return {
    device: 'touch',
    press: (control) => control.tap(),
    async go(place) {
      if (inBar.includes(place)) return bar.getByRole('link', { name: new RegExp(`^${place}`) }).tap();
      await bar.getByRole('button', { name: 'More' }).tap();
      return page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: place, exact: true }).tap();
    },
    act: (_, control) => control.tap(),
    async write(field, text) {
      await field.tap();
      await field.fill(text);
    },
    async choose(menu, label) {
      await menu.selectOption({ label });
    },
  };
}

const mostStops = 200;

/** Goes to a control as a keyboard does, by the shorter way. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let stops = 0; stops < mostStops; stops++) {
    const way = await control.evaluate((element) => {
      const { activeElement } = document;
      if (activeElement === element) return undefined;
      const isBefore =
        ((activeElement ?? element).compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) > 0;
      return isBefore ? 'Shift+Tab' : 'Tab';
    });
    if (way === undefined) return;
    await page.keyboard.press(way);
  }
  throw new Error(`Tab does not reach ${String(control)}.`);
}
