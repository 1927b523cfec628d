// plainText: what remains of untrusted text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainJson, plainText, plainValue } from '../../../src/lib/text/plain-text.ts';

const point = (code: number): string => String.fromCodePoint(code);
const escape = point(0x1b);

describe('plain text', () => {
  it('has no terminal sequences and no invisible characters', () => {
    expect(plainText(`${escape}[31mred${escape}[0m`)).toBe('red');
    expect(plainText(`${escape}]0;title${point(7)}x${escape}]8;;http://a${escape}\\y`)).toBe('xy');
    expect(plainText(`a${point(0)}b${point(8)}c${point(0x9b)}2Jd`)).toBe('abcd');
    expect(plainText(`abc${point(0x202e)}fdp.exe${point(0x2066)}`)).toBe('abcfdp.exe');
    expect(plainText(`zero${point(0x200b)}width${point(0xfeff)}${point(0xe0041)}`)).toBe('zerowidth');
  });

  it('keeps tabs, line breaks, every script and joined emoji', () => {
    const text = 'a\tb\r\nc – Ω дом 漢字 می‌خواهم 👩‍💻';
    expect(plainText(text)).toBe(text);
  });

  it('does not change when cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = plainText(text);
        expect(plainText(once)).toBe(once);
        expect(once).not.toMatch(/(?![\t\n\r])\p{Cc}/u);
      }),
    );
  });

  it('replaces every string and key of a value', () => {
    expect(plainValue({ [`n${point(0)}`]: [`a${point(1)}`, 1, null, { b: true }] })).toEqual({
      n: ['a', 1, null, { b: true }],
    });
  });

  it('is recognised from JSON: a value judged plain does not change', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\t\r\n', '\\u', escape, point(0x9b)),
    );
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text))), (value) => {
        if (isPlainJson(JSON.stringify(value))) expect(plainValue(value)).toEqual(value);
      }),
    );
    expect(isPlainJson(JSON.stringify({ a: 'b\tc\r\nd "e"' }))).toBe(true);
    for (const code of [0, 8, 12, 0x1b, 0x7f, 0x9b, 0x200b, 0x202e]) {
      expect([code, isPlainJson(JSON.stringify({ a: point(code) }))]).toEqual([code, false]);
    }
  });
});
