// Builds a prompt of sections that fits its limit: what may be shortened is shortened, the rest is never touched.

export interface PromptSection {
  readonly text: string;
  /** Lowest first is shortened first; null: never. */
  readonly keep: number | null;
}

const cutMark = '\n… (shortened)';

/**
 * Joins sections by empty lines. While the prompt is longer than `maxChars`, the section with the lowest `keep` is cut at
 * its end, then left out.
 */
export function joinSections(sections: readonly PromptSection[], maxChars: number): string {
  const texts = sections.map(({ text }) => text.trim());
  const order = sections
    .map(({ keep }, index) => ({ keep, index }))
    .filter((each): each is { keep: number; index: number } => each.keep !== null)
    .toSorted((a, b) => a.keep - b.keep);
  for (const { index } of order) {
    const over = joined(texts).length - maxChars;
    if (over <= 0) break;
    texts[index] = shorten(texts[index] ?? '', over);
  }
  return joined(texts);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

function shorten(text: string, by: number): string {
  const left = text.length - by - cutMark.length;
  // A remainder of a few words helps nobody.
  return left < 200 ? '' : `${text.slice(0, left)}${cutMark}`;
}
