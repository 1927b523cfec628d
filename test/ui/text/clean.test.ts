// The cleaners: what hostile text becomes, for corpus and for random strings.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanOutput, cleanText, cleanTitle, markControls, plainOf } from '../../../ui/src/text/clean.ts';

/** Strings made of what terminals and readers interpret, and of plain text between. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'\u001B|\u001B[|\u001B]|\u001B]8;;http://x|\u0007|\u001B\\|\u001BP|\u001B_|\u001B^|\u001BX|\u009B|\u009D|\u009C|\r|\n|\r\n|\t|\0|\u007F|\u0085|31m|;|:|[0m|\u001B[31m|\u001B[38:2::1:2:3m|\u001B[?25h|\u001B[2J|\u001B(B|\u202E|\u2066|\u200B|\u200D|\uFEFF|\uFE0F|\uFE00|\u{E0041}|\u{E0100}|\u0301|\u2028|\uD83D|\uDE00|\u00AD|\u3164'.split(
          '|',
        ),
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constant('\u0301'.repeat(9)),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));

/** Code points that control a terminal, reorder or hide text. */
const controls =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}\p{Cs}]/u;
const runs = { numRuns: 20_000 };

describe('the cleaner of output', () => {
  it.each([
    ['a colour', '\u001B[31mred\u001B[0m', '\u001B[31mred\u001B[0m'],
    ['a link (OSC 8)', '\u001B]8;;http://evil\u0007text\u001B]8;;\u0007', 'text'],
    ['a clipboard write (OSC 52)', 'a\u001B]52;c;ZXZpbA==\u001B\\b', 'ab'],
    ['a device string', 'a\u001BPq#0\u001B\\b', 'ab'],
    ['cursor moves and erasure', 'a\u001B[2J\u001B[1;1H\u001B[?25lb', 'ab'],
    ['a private sequence that ends in m', 'a\u001B[>4;2mb', 'ab'],
    ['a character set', '\u001B(Ba', 'a'],
    ['a control string without an end', '\u001B]0;rm -rf', '⟨001B⟩]0;rm -rf'],
    ['a sequence that is cut off', 'a\u001B[31', 'a⟨001B⟩[31'],
    ['a C1 introducer', '\u009B31mred', '⟨009B⟩31mred'],
    ['a colour with colons', '\u001B[38:2::1:2:3mx', '\u001B[38;2;1;2;3mx'],
    ['bidi', 'a\u202Eb\u2066', 'a⟨202E⟩b⟨2066⟩'],
    ['zero-width and tag characters', '\u200B\u{E0041}', '⟨200B⟩⟨E0041⟩'],
    ['a lone surrogate', 'a\uD800b', 'a⟨D800⟩b'],
    ['NUL, backspace and DEL', '\0\b\u007F', '⟨0000⟩⟨0008⟩⟨007F⟩'],
    ['a progress bar', '10 %\r50 %\r100 %', '100 %'],
    ['a line end of Windows', 'a\r\nb\r\n', 'a\nb\n'],
    ['a trailing carriage return', 'done\r', 'done'],
    ['colours that were overwritten', '\u001B[31m10\r20\r', '\u001B[31m20'],
    ['an emoji with its variation selector', '⚠\uFE0F', '⚠\uFE0F'],
    ['a heap of combining marks', `a${'\u0301'.repeat(30)}`, `a${'\u0301'.repeat(8)}⟨+22⟩`],
  ])('%s [ui-5.1.1]', (_, input, output) => {
    expect(cleanOutput(input)).toBe(output);
  });

  it('is total, idempotent, and leaves no control but SGR [ui-5.1.1]', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cleaned = cleanOutput(text);
        expect(cleanOutput(cleaned)).toBe(cleaned);
        expect(cleaned.replaceAll(/\u001B\[[\d;]*m/g, '')).not.toMatch(controls);
      }),
      runs,
    );
  });

  it('does work in proportion to its input, also for unfinished sequences', () => {
    for (const part of ['\u001B', '\u001B[', '\u001B]', '\u001B[1', '\r', '\u0301', '\uFE0F', '\u001B(', '\u001B]\r']) {
      expect(cleanOutput(part.repeat(100_000))).toBeTypeOf('string');
    }
  });
});

describe('the other cleaners', () => {
  it('are total and idempotent and leave no control at all [ui-5.1.1]', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(cleanText, cleanTitle, markControls), (text, clean) => {
        const cleaned = clean(text);
        expect(clean(cleaned)).toBe(cleaned);
        expect(cleaned).not.toMatch(controls);
        if (clean !== cleanText) expect(cleaned).not.toContain('\n');
      }),
      runs,
    );
  });

  it('show what a title or a path holds [ui-5.1.1]', () => {
    expect(cleanTitle('\u001B[31mFix\nit\u001B[0m\t\u202E')).toBe('Fix⟨000A⟩it⟨0009⟩⟨202E⟩');
    expect(cleanText('a\r\n\u001B[1mb\u001B[m')).toBe('a\nb');
    expect(markControls('a\u001B[8m.ts\n')).toBe('a⟨001B⟩[8m.ts⟨000A⟩');
    expect(markControls('x\r')).toBe('x⟨000D⟩');
    expect(plainOf('\u001B[31ma\u001B[mb')).toBe('ab');
  });
});
