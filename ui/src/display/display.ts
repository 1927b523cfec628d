// The choices of a person for this browser: theme, density, zone, wrapping, keys, words. Kept in localStorage, never sent.
import { createStore, useStore } from '../store.ts';

export interface Display {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'normal' | 'dense';
  /** Zone of the times that are shown. */
  readonly zone: 'browser' | 'utc';
  /** Whether long lines of output and diffs are wrapped. */
  readonly wrap: boolean;
  /** Whether single keys are shortcuts. */
  readonly keys: boolean;
  /** `pseudo` is longer and accented, for tests of layouts. */
  readonly words: 'en' | 'pseudo';
  readonly direction: 'ltr' | 'rtl';
}

const storageKey = 'switchyard_display';
const initial: Display = {
  theme: 'system',
  density: 'normal',
  zone: 'browser',
  wrap: true,
  keys: true,
  words: 'en',
  direction: 'ltr',
};
const choices: { readonly [K in keyof Display]: readonly Display[K][] } = {
  theme: ['system', 'light', 'dark'],
  density: ['normal', 'dense'],
  zone: ['browser', 'utc'],
  wrap: [true, false],
  keys: [true, false],
  words: ['en', 'pseudo'],
  direction: ['ltr', 'rtl'],
};

const display = createStore<Display>(read());

export function getDisplay(): Display {
  return display.get();
}

export function useDisplay(): Display {
  return useStore(display);
}

/** Keeps the choice and applies it to the page at once. */
export function setDisplay(change: Partial<Display>): void {
  display.set({ ...display.get(), ...change });
  try {
    localStorage.setItem(storageKey, JSON.stringify(display.get()));
  } catch {
    // A browser that keeps nothing: the choice holds until the page is closed.
  }
  applyDisplay();
}

/** Sets the attributes that the style sheet reads. */
export function applyDisplay(): void {
  const { theme, density, direction } = display.get();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  dataset['density'] = density;
  document.documentElement.dir = direction;
}

function read(): Display {
  let kept: unknown;
  try {
    kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
  } catch {
    return initial;
  }
  if (typeof kept !== 'object' || kept === null) return initial;
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(kept));
  const chosen = <K extends keyof Display>(key: K): Display[K] =>
    choices[key].find((choice) => choice === values.get(key)) ?? initial[key];
  return {
    theme: chosen('theme'),
    density: chosen('density'),
    zone: chosen('zone'),
    wrap: chosen('wrap'),
    keys: chosen('keys'),
    words: chosen('words'),
    direction: chosen('direction'),
  };
}
