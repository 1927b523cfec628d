// The store of output: lines of pieces that come in any cut, from both ends, over and over, and in great number.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputPiece } from '../../../ui/src/text/output/line-splitter.ts';
import { OutputStore } from '../../../ui/src/text/output/lines.ts';

const now = (notify: () => void): void => {
  notify();
};
const piece = (seq: number, text: string, stream: OutputPiece['stream'] = 'stdout'): OutputPiece => ({
  seq,
  text,
  stream,
});

function textsOf(store: OutputStore): string[] {
  return Array.from({ length: store.count }, (_, index) => store.line(index)?.text ?? '?');
}

function filled(...pieces: OutputPiece[]): OutputStore {
  const store = new OutputStore(now);
  store.append(pieces);
  return store;
}

describe('the store of output', () => {
  it('makes lines of pieces with many lines or half of one [ui-5.1.2]', () => {
    const store = filled(piece(1, 'one\ntw'), piece(2, 'o\nthree'));
    expect(textsOf(store)).toEqual(['one', 'two', 'three']);
    expect(store.line(1)).toMatchObject({ seq: 1, columns: 3, opensPiece: false });
    store.append([piece(3, '!\n')]);
    expect(textsOf(store)).toEqual(['one', 'two', 'three!']);
  });

  it('leaves out pieces that it has, so a stream may be resumed early [ui-5.1.2]', () => {
    const store = filled(piece(1, 'a\n'), piece(2, 'b\n'));
    store.append([piece(2, 'b\n'), piece(3, 'c\n')]);
    expect(textsOf(store)).toEqual(['a', 'b', 'c']);
  });

  it('keeps the last text of a progress bar, however many pieces it has [ui-5.1.2]', () => {
    const store = filled(
      ...Array.from({ length: 5_000 }, (_, i) => piece(i + 1, `\rstep ${String(i)} \u001B[32mok\u001B[0m`)),
    );
    expect(store.count).toBe(1);
    expect(store.line(0)?.text).toContain('step 4999');
  });

  it('carries colours over lines, names tools and marks errors [ui-5.1.2]', () => {
    const store = filled(
      piece(1, '\u001B[31mred\nstill\u001B[0m\nnot\n'),
      piece(2, '[shell] npm test\n', 'agent'),
      piece(3, 'x\n', 'stderr'),
    );
    expect([0, 1, 2].map((index) => store.line(index)?.start)).toEqual(['', '\u001B[31m', '']);
    expect(store.line(3)?.tool).toBe('shell');
    expect(store.line(4)?.stream).toBe('stderr');
  });

  it('has the same lines, numbers and keys however the output was cut and loaded [ui-5.1.2]', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', ' '), maxLength: 8 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(pieces, fc.nat(), fc.nat(), (texts, one, two) => {
        const all = texts.map((text, index) => piece(index + 1, text));
        const whole = filled(...all);
        const [from = 0, to = 0] = [one % (all.length + 1), two % (all.length + 1)].toSorted((a, b) => a - b);
        const store = new OutputStore(now);
        const lineAt = (index: number): number => texts.slice(0, index).join('').split('\n').length;
        store.show({
          pieces: all.slice(from, to),
          firstLine: lineAt(from),
          hasOlder: from > 0,
          hasNewer: to < all.length,
        });
        const kept = store.indexOf(lineAt(from));
        const key = store.keyOf(Math.max(kept, 0));
        const hadLine = store.count > 0;
        store.append(all.slice(to));
        store.extend({ pieces: all.slice(to), hasNewer: false });
        store.prepend({ pieces: all.slice(0, from), firstLine: 1, hasOlder: false });
        expect(textsOf(store)).toEqual(textsOf(whole));
        expect([store.firstLine, store.lastSeq, store.hasNewer]).toEqual([1, all.length, false]);
        if (hadLine) expect(store.keyOf(store.indexOf(lineAt(from)))).toBe(key);
      }),
      { numRuns: 3_000 },
    );
  });

  it('keeps 200,000 lines, drops the oldest of a live output and loads them again [ui-5.1.2]', () => {
    const store = new OutputStore(now);
    for (let seq = 1; seq <= 2_101; seq++) store.append([piece(seq, `line ${String(seq)}\n`.repeat(100))]);
    expect(store.count).toBeLessThanOrEqual(200_000);
    expect(store.count).toBeGreaterThan(180_000);
    expect(store.hasOlder).toBe(true);
    const number = store.firstLine;
    expect(store.line(0)?.text).toBe(`line ${String(Math.ceil(number / 100))}`);
    const key = store.keyOf(0);
    const before = store.firstSeq;
    store.prepend({ pieces: [piece(before - 1, 'old\n'.repeat(100))], firstLine: number - 100, hasOlder: true });
    expect(store.keyOf(100)).toBe(key);
    expect(store.line(99)?.text).toBe('old');
  });

  it('drops the newest while older output is read, and counts what comes meanwhile [ui-5.1.2]', () => {
    const store = new OutputStore(now);
    const pieces = Array.from({ length: 2_000 }, (_, i) => piece(i + 1_001, 'new\n'.repeat(100)));
    store.show({ pieces, firstLine: 100_001, hasOlder: true, hasNewer: false });
    store.prepend({
      pieces: Array.from({ length: 100 }, (_, i) => piece(i + 901, 'old\n'.repeat(100))),
      firstLine: 90_001,
      hasOlder: true,
    });
    expect(store.count).toBeLessThanOrEqual(200_000);
    expect(store.hasNewer).toBe(true);
    store.append([piece(3_001, 'live\nlive\n')]);
    expect(store.missedLines).toBe(2);
    store.extend({ pieces: pieces.filter(({ seq }) => seq > store.lastSeq), hasNewer: false });
    expect(store.hasNewer).toBe(true);
    store.extend({ pieces: [piece(3_001, 'live\nlive\n')], hasNewer: false });
    expect([store.hasNewer, store.missedLines]).toEqual([false, 0]);
    expect(store.line(store.count - 1)?.text).toBe('live');
  });

  it('joins no live piece to an earlier window: what lies between is loaded first [ui-5.1.2]', () => {
    const store = new OutputStore(now);
    store.show({ pieces: [piece(1, 'one\n')], firstLine: 1, hasOlder: false, hasNewer: false });
    for (let seq = 2; seq <= 2_101; seq++) store.append([piece(seq, `line ${String(seq)}\n`.repeat(100))]);
    // The oldest were dropped; a jump to them shows pieces that end long before the last live one.
    store.show({ pieces: [piece(1, 'one\n')], firstLine: 1, hasOlder: false, hasNewer: false });
    expect(store.hasNewer).toBe(true);
    store.append([piece(2_102, 'live\n')]);
    expect(textsOf(store)).toEqual(['one']);
    expect(store.missedLines).toBe(1);
  });

  it('tells its listeners once for many changes [ui-5.1.2]', () => {
    const scheduled: (() => void)[] = [];
    const store = new OutputStore((notify) => scheduled.push(notify));
    let calls = 0;
    store.subscribe(() => (calls += 1));
    for (let seq = 1; seq <= 50; seq++) store.append([piece(seq, 'x\n')]);
    expect(scheduled).toHaveLength(1);
    scheduled.forEach((notify) => {
      notify();
    });
    expect([calls, store.version()]).toEqual([1, 50]);
  });

  it('bounds a line without an end [ui-5.1.2]', () => {
    const store = new OutputStore(now);
    for (let seq = 1; seq <= 30; seq++) store.append([piece(seq, 'x'.repeat(50_000))]);
    expect(store.line(0)?.text.length).toBe(1_000_000);
  });
});
