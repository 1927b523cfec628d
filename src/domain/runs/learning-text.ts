// Cleans texts of agents and people before they become learnings. runs-9.

export const maxLearningBytes = 8 * 1024;

/** Control characters but tab and line feed, and marks that change the direction of text. runs-18. */
// eslint-disable-next-line no-control-regex
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** @returns the text without hidden characters, at most `maxBytes` of UTF-8, cut at a character */
export function cleanLearning(text: string, maxBytes = maxLearningBytes): string {
  const clean = text.replaceAll('\r\n', '\n').replaceAll(hidden, '').trim();
  if (Buffer.byteLength(clean) <= maxBytes) return clean;
  const cut = new TextDecoder('utf-8').decode(Buffer.from(clean).subarray(0, maxBytes - 4));
  return `${cut.replace(/\uFFFD$/, '')}…`;
}
