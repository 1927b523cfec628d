// The last line of terminal output is one line of plain text, for any text.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastLineOf } from '../../../src/lib/text/last-line.ts';

it('is one short line without control characters, and its own last line [ui-6.2.3]', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\t',
    '\n',
    '\r',
    '\u001b',
    '\u001b[1m',
    '\u001b]0;',
    '\u0007',
    '\u009b',
    '\u202e',
    '€',
    '😀',
  );
  const output = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(output, fc.integer({ min: 1, max: 20 }), (text, most) => {
      const line = lastLineOf(text, most);
      expect(line).not.toMatch(/\p{Cc}/u);
      expect(line).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(Array.from(line).length).toBeLessThanOrEqual(most);
      expect(lastLineOf(line, most)).toBe(line.trim());
    }),
  );
});

it('is empty where nothing is shown', () => {
  for (const text of ['', '\n\n', ' \r \n', '\u001b[2K\r']) expect(lastLineOf(text, 200)).toBe('');
});
