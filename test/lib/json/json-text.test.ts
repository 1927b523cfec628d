// JSON that would block the event loop is detected before it is parsed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMoreValues, parseJson, tryParseJson } from '../../../src/lib/json/json-text.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Every value within a value, itself and its names included. */
function valuesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valuesIn(item), 1);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + valuesIn(item), 1);
}

describe('JSON text', () => {
  it('exceeds the limit of values only when it does, whatever its strings contain', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 3 }), (value, most) => {
        const text = JSON.stringify(value);
        expect(hasMoreValues(bytes(text), most) && valuesIn(value) <= most).toBe(false);
      }),
    );
  });

  it.each([
    ['numbers', `[${'1,'.repeat(999)}1]`],
    ['empty arrays', `[${'[],'.repeat(999)}[]]`],
    ['members', `{${Array.from({ length: 600 }, (_, i) => `"${i}":0`).join(',')}}`],
  ])('with a thousand %s has more than a hundred values', (_what, text) => {
    expect(hasMoreValues(bytes(text), 100)).toBe(true);
    expect(hasMoreValues(bytes(text), 5_000)).toBe(false);
  });

  it('exceeds the limit of members only when one object does, at any depth', () => {
    const mostIn = (value: unknown): number => {
      if (typeof value !== 'object' || value === null) return 0;
      const own = Array.isArray(value) ? 0 : Object.keys(value).length;
      return Math.max(own, ...Object.values(value).map(mostIn));
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 3 }), (value, most) => {
        expect(hasMoreValues(bytes(JSON.stringify(value)), 1_000_000, most)).toBe(mostIn(value) > most);
      }),
    );
  });

  it('counts nothing inside a string, whatever its escapes', () => {
    const text = JSON.stringify([',:[{"\\'.repeat(1_000), '\\', '"']);
    expect(hasMoreValues(bytes(text), 10)).toBe(false);
  });

  it('must be UTF-8', () => {
    expect(parseJson(bytes('"é"'))).toBe('é');
    expect(() => parseJson(new Uint8Array([0x22, 0xff, 0x22]))).toThrow(TypeError);
  });

  it('is undefined where text that is not JSON is tolerated', () => {
    expect(tryParseJson('{"a":[1]}')).toEqual({ a: [1] });
    for (const text of ['', '{', 'undefined', "{'a':1}"]) expect(tryParseJson(text)).toBeUndefined();
  });
});
