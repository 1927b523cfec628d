// Comments find their lines again by the quoted text.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findAnchor, type SideLine } from '../../../ui/src/text/patch/anchor.ts';

const lines = (...texts: string[]): SideLine[] => texts.map((text, index) => ({ line: index + 1, text }));
const on = (line: number, quote: string) => ({ path: 'a.ts', side: 'new', line, quote }) as const;

it('stays at its line, moves to the nearest equal one, or is outdated [ui-5.2.2]', () => {
  expect(findAnchor(on(2, 'b'), lines('a', 'b', 'c'))).toEqual({ state: 'same', line: 2, endLine: 2 });
  expect(findAnchor(on(2, 'b'), lines('b', 'x', 'y', 'b'))).toEqual({ state: 'moved', line: 1, endLine: 1 });
  expect(findAnchor(on(3, 'b\nc'), lines('x', 'b  ', 'c', 'b', 'd'))).toEqual({ state: 'moved', line: 2, endLine: 3 });
  expect(findAnchor(on(2, 'b'), lines('a', 'c'))).toEqual({ state: 'outdated' });
  expect(findAnchor(on(2, ''), lines('', 'x'))).toEqual({ state: 'outdated' });
});

it('is no place where lines between are not shown [ui-5.2.2]', () => {
  expect(
    findAnchor(on(1, 'a\nb'), [
      { line: 1, text: 'a' },
      { line: 9, text: 'b' },
    ]),
  ).toEqual({ state: 'outdated' });
});

it('finds a quote after lines were put before it [ui-5.2.2]', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.string({ minLength: 1 }).filter((text) => !/\s/.test(text)),
        { minLength: 1, maxLength: 20 },
      ),
      fc.nat(),
      fc.nat(9),
      (texts, at, shift) => {
        const index = at % texts.length;
        const before = Array.from({ length: shift }, () => ' ');
        const quote = texts[index] ?? '';
        expect(findAnchor(on(index + 1, quote), lines(...before, ...texts))).toMatchObject({ line: index + 1 + shift });
      },
    ),
  );
});
