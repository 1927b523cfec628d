// Colours of output: classes, contrast, and the state that the next line begins in.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textRuns } from '../../../ui/src/text/output/ansi.ts';
import { cleanOutput, plainOf } from '../../../ui/src/text/clean.ts';
import { contrastOf, paletteColour, type Rgb } from '../../../ui/src/text/contrast.ts';
import { sgrAfter } from '../../../ui/src/text/output/sgr.ts';

const escape = '\u001B';

it('gives runs of class names that keep the text [ui-5.1.3]', () => {
  expect(textRuns(`a${escape}[1;31mb${escape}[0mc`)).toEqual([
    { text: 'a', className: '' },
    { text: 'b', className: 'font-semibold text-bad' },
    { text: 'c', className: '' },
  ]);
  expect(textRuns('x', `${escape}[92m`)).toEqual([{ text: 'x', className: 'text-ok' }]);
  expect(textRuns(`${escape}[8;5mhidden`)).toEqual([{ text: 'hidden', className: '' }]);
  expect(textRuns(`${escape}[7mr`)).toEqual([{ text: 'r', className: 'bg-ink text-ground' }]);
  expect(textRuns(`${escape}[41;38;2;1;2;3mx`)).toEqual([{ text: 'x', className: 'bg-del text-soft' }]);
});

it('draws a colour by numbers in the scheme in which it is readable, else its token [ui-5.1.3]', () => {
  expect(textRuns(`${escape}[38;2;10;10;10mx`)).toEqual([
    { text: 'x', className: '', color: 'light-dark(rgb(10 10 10), var(--soft))' },
  ]);
  expect(textRuns(`${escape}[38;5;231mx`)).toEqual([
    { text: 'x', className: '', color: 'light-dark(var(--ink), rgb(255 255 255))' },
  ]);
  expect(textRuns(`${escape}[38;2;255;0;0mx`)[0]?.color).toBe('light-dark(var(--bad), rgb(255 0 0))');
  expect(paletteColour(16)).toEqual([0, 0, 0]);
  expect(paletteColour(231)).toEqual([255, 255, 255]);
  expect(paletteColour(255)).toEqual([238, 238, 238]);
});

it('uses inks and grounds that can be read on one another in both schemes [ui-5.1.3]', () => {
  const css = readFileSync(path.resolve(import.meta.dirname, '../../../ui/src/style/tokens.css'), 'utf8');
  const token = (name: string): Rgb[] => {
    const pair = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(css)?.slice(1) ?? [];
    return pair.map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb);
  };
  // Text in a colour on a ground of its own, or on the ground of the output; the marker of reverse.
  const pairs = ['ink', 'soft', 'bad', 'ok', 'ask', 'running', 'accent'].flatMap((ink) =>
    ['sunk', 'paper', 'del', 'add', 'ask-ground'].map((ground) => [ink, ground] as const),
  );
  for (const [ink, ground] of [...pairs, ['ground', 'ink'] as const]) {
    for (const scheme of [0, 1]) {
      const [one, other] = [token(ink)[scheme], token(ground)[scheme]];
      expect(
        one === undefined || other === undefined ? 0 : contrastOf(one, other),
        `${ink} on ${ground}`,
      ).toBeGreaterThanOrEqual(4.5);
    }
  }
});

it('keeps the colours in force from line to line [ui-5.1.3]', () => {
  expect(sgrAfter('', `${escape}[31mred`)).toBe(`${escape}[31m`);
  expect(sgrAfter(`${escape}[31m`, `${escape}[1mbold${escape}[39m`)).toBe(`${escape}[1m`);
  expect(sgrAfter(`${escape}[1;31m`, `x${escape}[m`)).toBe('');
  expect(sgrAfter('', `${escape}[38;2;1;2;3;48;5;9;4m`)).toBe(`${escape}[4;38;2;1;2;3;48;5;9m`);
  expect(sgrAfter(`${escape}[1;2m`, `${escape}[22m`)).toBe('');
});

it('shows the text of any input whole, and the same after a cut between lines [ui-5.1.3]', () => {
  const coloured = fc
    .array(
      fc.oneof(
        fc
          .constantFrom('[1m', '[31m', '[0m', '[38;5;200m', '[48;2;1;2;3m', '[22m', '[39m', '[7m')
          .map((code) => escape + code),
        fc.string(),
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => cleanOutput(parts.join('').replaceAll('\n', '')));
  fc.assert(
    fc.property(coloured, coloured, (one, two) => {
      const runs = textRuns(one + two);
      expect(runs.map(({ text }) => text).join('')).toBe(plainOf(one + two));
      const apart = textRuns(two, sgrAfter('', one));
      const classesOf = (all: typeof runs): string[] =>
        all.flatMap(({ text, className }) => Array.from(text, () => className));
      const length = Array.from(plainOf(two)).length;
      const sorted = (names: string): string => names.split(' ').toSorted().join(' ');
      expect(classesOf(apart).map(sorted)).toEqual(length === 0 ? [] : classesOf(runs).slice(-length).map(sorted));
    }),
    { numRuns: 3_000 },
  );
});
