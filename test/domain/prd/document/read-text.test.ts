// Texts that try to make the reader of YAML and JSON slow, large or wrong.
import { describe, expect, it } from 'vitest';
import { readDocumentText } from '../../../../src/domain/prd/document/read-text.ts';

const bomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`),
].join('\n');

describe('a text', () => {
  it.each([
    ['YAML', 'a: 1\nb: [x, "y"]\n', { a: 1, b: ['x', 'y'] }],
    ['YAML 1.2, where yes is a text', 'a: yes\nb: on\nc: 012\n', { a: 'yes', b: 'on', c: 12 }],
    ['one document with its marks', '---\na: 1\n...\n', { a: 1 }],
    ['JSON with tabs', '{\n\t"a": [\n\t\t1\n\t]\n}', { a: [1] }],
    ['100 aliases', `a: &a 1\nb: [${Array(100).fill('*a').join(', ')}]`, { a: 1, b: Array(100).fill(1) }],
    ['a quoted "<<"', '"<<": 1', { '<<': 1 }],
  ])('is read: %s', (_, text, value) => {
    expect(readDocumentText(text)).toEqual(value);
  });

  it.each([
    ['a second document', 'a: 1\n---\nb: 2', /second document|multiple documents/],
    ['a second empty document', 'a: 1\n---\n', /second document|multiple documents/],
    ['a document after the end mark', 'a: 1\n...\nb: 2', /second document|multiple documents/],
    ['a doubled key', 'a: 1\na: 2', /key a twice/],
    ['a doubled key under another', 'm:\n  a: 1\n  "a": 2', /key a twice/],
    ['a doubled key in JSON', '{"b": [{"a": 1, "\\u0061": 2}]}', /key a twice/],
    ['a merge key', 'x: &x {a: 1}\ny: {<<: *x}', /merge key/],
    ['an anchor that holds itself', 'a: &a [*a]', /holds itself/],
    ['an anchor that holds itself further in', 'a: &a\n  b:\n  - c: *a', /holds itself/],
    ['an alias without an anchor', 'a: *b', /no anchor|alias/i],
    ['a tag', 'a: !!str 1', /tag/],
    ['a tag of its own', 'a: !ruby/object {}', /tag/],
    ['a tag of a key', '!!str a: 1', /tag/],
    ['the empty tag', 'a: ! 1', /tag/],
    ['another version of YAML', '%YAML 1.1\n---\na: yes', /version/],
    ['101 aliases', `a: &a 1\nb: [${Array(101).fill('*a').join(', ')}]`, /100 aliases/],
    ['a bomb of nested aliases', bomb, /larger than 1 MiB/],
    [
      'a long text repeated by aliases',
      `a: &a "${'x'.repeat(100_000)}"\nb: [${Array(50).fill('*a').join(', ')}]`,
      /1 MiB/,
    ],
    ['more than 1 MiB', `a: ${'x'.repeat(1_048_576)}`, /1 MiB/],
    ['500,000 open brackets', '['.repeat(500_000), /nested deeper/],
    ['300,000 lists in one line', `${'- '.repeat(300_000)}a`, /nested deeper/],
    [
      '1,400 mappings, each indented further',
      Array.from({ length: 1400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      /deep/,
    ],
    // The parser needs more than five minutes for these anchors.
    ['300,000 anchors', '&a '.repeat(300_000), /100 anchors/],
    ['200,000 documents', '---\n'.repeat(200_000), /second document/],
    ['a million commas', `[${','.repeat(1_000_000)}`, /parts/],
    ['250,000 entries', '- a\n'.repeat(250_000), /parts/],
    ['a key that is a list', '? [a]\n: b', /key/],
    ['a number without end', 'a: .inf', /finite/],
    ['a text that never ends', `a: "${'x'.repeat(1_000_000)}`, /quote/],
    ['tabs for indentation', 'a:\n\tb: 1', /[Tt]abs/],
    [
      'a text with a colon that needs quotes',
      'a: run x ? 0 : 1',
      /^The document is not valid YAML: .* at line 1, column 4\. Put a text that contains a colon and a space in quotes\.$/,
    ],
  ])('is refused: %s', (_, text, message) => {
    expect(() => readDocumentText(text)).toThrow(message);
  });

  it('with __proto__ gives a member of that name and changes no prototype', () => {
    const value = readDocumentText('__proto__: {polluted: true}');
    expect(Object.keys(Object(value))).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
