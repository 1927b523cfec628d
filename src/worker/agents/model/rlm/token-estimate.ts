// Estimates how many tokens a request has, and counts them only where the estimate is close to the threshold.

/** Within this share of the threshold the tokens are counted. */
const closeShare = 0.15;
const pieceChars = 2_000;
/** The tokenizer takes quadratic time for text without a gap; such pieces are estimated. */
const longRun = /\S{400}/;

/** Characters ÷ 4, and bytes ÷ 3 for characters beyond Latin. */
export function estimateTokens(text: string): number {
  let [latin, bytes] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x250) latin += 1;
    else if (code < 0x800 || (code >= 0xd800 && code < 0xe000)) bytes += 2;
    else bytes += 3;
  }
  return latin / 4 + bytes / 3;
}

/** Cuts a text at gaps into pieces that the tokenizer counts quickly. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const gap = text.lastIndexOf(' ', from + pieceChars);
    const to = gap > from ? gap : from + pieceChars;
    yield text.slice(from, to);
    from = to;
  }
}

/** The tokens of o200k. The tokenizer is loaded with the first count: its tables are large. */
async function countTokens(texts: readonly string[]): Promise<number> {
  const tokenizer = await import('gpt-tokenizer/encoding/o200k_base');
  const plain = { disallowedSpecial: new Set<string>() };
  let count = 0;
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      count += longRun.test(piece) ? estimateTokens(piece) : tokenizer.countTokens(piece, plain);
    }
  }
  return count;
}

/** Whether texts together have more tokens than `threshold`. */
export async function isOverTokens(texts: readonly string[], threshold: number): Promise<boolean> {
  const estimate = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  if (Math.abs(estimate - threshold) > threshold * closeShare) return estimate > threshold;
  return (await countTokens(texts)) > threshold;
}
