// The contrast of every pair of colours that stand on each other, in light and in dark, computed from the table of tokens.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrastOf, type Rgb } from '../../../ui/src/text/contrast.ts';

const tokens = readFileSync(path.resolve(import.meta.dirname, '../../../ui/src/style/tokens.css'), 'utf8');
/** Colour, what it stands on, its contrast in light and in dark. */
const pairs = [
  ['edge', 'ground', 3.4, 4.3],
  ['ink', 'ground', 15.2, 15.4],
  ['soft', 'ground', 6, 8.2],
  ['accent', 'ground', 6.7, 9.4],
  ['on-accent', 'accent', 7.3, 7.9],
  ['running', 'paper', 6.2, 8.1],
  ['ok', 'sunk', 5.3, 9.5],
  ['bad', 'sunk', 5.5, 9.5],
  ['ask', 'ask-ground', 5.7, 8],
  ['waiting', 'ground', 5.5, 8.2],
  ['ink', 'add', 14.8, 11.9],
  ['ink', 'del', 14.4, 13.3],
] as const;
/** Text on each ground that it may lie on. WCAG 2.2, 1.4.3 and 1.4.11. */
const grounds = ['ground', 'paper', 'sunk'] as const;
const texts = ['ink', 'soft', 'accent', 'running', 'ok', 'bad', 'waiting'] as const;
const textContrast = 4.5;
const controlContrast = 3;

type Scheme = 0 | 1;

/** A colour of the table. @throws Error when it is not there */
function colourOf(css: string, name: string, scheme: Scheme): Rgb {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\)`).exec(css) ?? [];
  const hex = scheme === 0 ? light : dark;
  if (hex === undefined) throw new Error(`The token ${name} is not there.`);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [red, green, blue];
}

/** Sentences for pairs that are not as the table of the design says, or too weak to be read. */
function wrongPairsOf(css: string): string[] {
  const schemes: readonly Scheme[] = [0, 1];
  const contrast = (on: string, ground: string, scheme: Scheme): number =>
    contrastOf(colourOf(css, on, scheme), colourOf(css, ground, scheme));
  const say = (on: string, ground: string, scheme: Scheme): string =>
    `${on} on ${ground}, ${['light', 'dark'][scheme] ?? ''}: ${contrast(on, ground, scheme).toFixed(2)}`;
  const least = (on: string, ground: string, atLeast: number): string[] =>
    schemes.filter((scheme) => contrast(on, ground, scheme) < atLeast).map((scheme) => say(on, ground, scheme));
  return [
    ...pairs.flatMap(([on, ground, ...ratios]) =>
      schemes
        .filter((scheme) => Math.abs(contrast(on, ground, scheme) - ratios[scheme]) >= tolerance)
        .map((scheme) => say(on, ground, scheme)),
    ),
    ...grounds.flatMap((ground) => texts.flatMap((text) => least(text, ground, textContrast))),
    ...grounds.flatMap((ground) => least('edge', ground, controlContrast)),
  ];
}

/** The table has one digit after the point. */
const tolerance = 0.06;

describe('the tokens', () => {
  it('have the contrast of their table in light and in dark [ui-9.1]', () => {
    expect(wrongPairsOf(tokens)).toEqual([]);
  });

  it.each([
    ['--soft: light-dark(#53605a', '--soft: light-dark(#55625c'],
    ['--edge: light-dark(#7c8781, #6f7d77)', '--edge: light-dark(#7c8781, #6d7b75)'],
    ['--ask-ground: light-dark(#fff1d6', '--ask-ground: light-dark(#ffe9c2'],
  ])('one step off is seen: %s', (token, planted) => {
    expect(tokens).toContain(token);
    expect(wrongPairsOf(tokens.replace(token, planted))).not.toEqual([]);
  });
});
