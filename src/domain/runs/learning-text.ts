// Cleans texts of agents and people before they become learnings. runs-9.
import { plainBlock } from '../../lib/text/plain-text.ts';

export const maxLearningBytes = 8 * 1024;

/** @returns the text without hidden characters, at most `maxBytes` of UTF-8, cut at a character */
export function cleanLearning(text: string, maxBytes = maxLearningBytes): string {
  const clean = plainBlock(text).trim();
  if (Buffer.byteLength(clean) <= maxBytes) return clean;
  const cut = new TextDecoder('utf-8').decode(Buffer.from(clean).subarray(0, maxBytes - 4));
  return `${cut.replace(/\uFFFD$/, '')}…`;
}
