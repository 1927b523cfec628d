// Content that JSON must not have: found at any depth, and reported with its path.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonViolation } from '../../../src/lib/json/json-violation.ts';

describe('a violation in JSON', () => {
  it('is not found in a value that a database can store', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const stored = JSON.stringify(value);
        const clean = !stored.includes('\\u0000') && !/\\ud[89a-f]/.test(stored);
        expect(findJsonViolation(JSON.parse(stored), 64) === undefined).toBe(clean);
      }),
    );
  });

  it.each([
    [{ a: [1, { b: 'x\0' }] }, '/a/1/b'],
    [['\ud800'], '/0'],
    [{ 'k\0': 1 }, '/k\0'],
    ['\0', ''],
    [JSON.parse('{"a":[1,-1e999]}'), '/a/1'],
  ])('in %j is found at %s', (value, path) => {
    expect(findJsonViolation(value, 64)).toMatchObject({ path });
  });

  it('is nesting beyond the limit, not nesting up to it', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(findJsonViolation(nested(64), 64)).toBeUndefined();
    expect(findJsonViolation(nested(65), 64)).toMatchObject({ message: 'is nested deeper than 64 levels' });
    expect(findJsonViolation(nested(100_000), 64)).toBeDefined();
  });
});
