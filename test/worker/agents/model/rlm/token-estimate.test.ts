// The estimate of tokens, and the exact count where it is close to the threshold.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, isOverTokens } from '../../../../../src/worker/agents/model/rlm/token-estimate.ts';

describe('the estimate', () => {
  it('is characters ÷ 4, and bytes ÷ 3 beyond Latin', () => {
    expect(estimateTokens('four')).toBe(1);
    expect(estimateTokens('éééé')).toBe(1);
    expect(estimateTokens('日本')).toBe(2);
    expect(estimateTokens('жжж')).toBe(2);
    expect(estimateTokens('😀')).toBeCloseTo(4 / 3);
  });

  it('counts bytes beyond Latin as UTF-8 has them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const beyond = text.replaceAll(/[\0-\u{24f}]/gu, '');
        const latin = text.length - beyond.length;
        expect(estimateTokens(text)).toBeCloseTo(latin / 4 + Buffer.byteLength(beyond) / 3);
      }),
    );
  });
});

describe('a text is over the threshold', () => {
  const prose = 'The keeper wrote down what the sea had been like on each day of that long winter. '.repeat(200);

  it('by the exact count where the estimate is close', async () => {
    // 16,400 characters: 4,100 by the estimate, about 3,400 by the tokenizer.
    expect(estimateTokens(prose)).toBe(4_100);
    expect(await isOverTokens([prose], 3_900)).toBe(false);
    expect(await isOverTokens([prose], 3_000)).toBe(true);
    expect(await isOverTokens([prose], 5_000)).toBe(false);
  });

  it('by the sum of all texts', async () => {
    expect(await isOverTokens(['x y '.repeat(500), 'x y '.repeat(500)], 600)).toBe(true);
    expect(await isOverTokens(['x y '.repeat(500)], 600)).toBe(false);
  });

  it('with special tokens and endless words in it', async () => {
    expect(await isOverTokens(['<|endoftext|> '.repeat(300)], 1_000)).toBe(true);
    expect(await isOverTokens(['a'.repeat(400_000)], 100_001)).toBe(false);
  });
});
