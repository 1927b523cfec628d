// Removes invisible characters from untrusted text: those that a terminal or a model would act on unseen.

const [escape, bel, csi] = [0x1b, 0x07, 0x9b].map((code) => String.fromCharCode(code));
/** Terminal escape sequences: CSI, OSC to its end, and the short ones. */
const sequences = new RegExp(
  [
    `${escape}\\[[0-?]*[ -/]*[@-~]`,
    `${escape}\\][^${bel}${escape}]*(?:${bel}|${escape}\\\\)?`,
    `${escape}[ -/]*[0-~]`,
    `${csi}[0-?]*[ -/]*[@-~]`,
  ].join('|'),
  'g',
);
/**
 * Control characters except tab and line breaks, and format characters, which change the writing direction, hide or tag
 * text. The two joiners stay: some scripts and emoji need them.
 */
const unseen = /(?![\t\n\r])\p{Cc}|(?![\u200c\u200d])\p{Cf}/gu;
/** One test decides for most text, which contains none of these. */
const suspect = /(?![\t\n\r])\p{Cc}|(?![\u200c\u200d])\p{Cf}/u;

/** The text without control characters (tab and line breaks stay), terminal sequences, and direction marks. */
export function plainText(text: string): string {
  return suspect.test(text) ? text.replace(sequences, '').replace(unseen, '') : text;
}

/** Plain text whose only control characters are tab and line feed: a carriage return can hide the line before it. */
export function plainBlock(text: string): string {
  return plainText(text).replaceAll('\r\n', '\n').replaceAll('\r', '');
}

/** A JSON value with `plainText` applied to every string and key. */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [plainText(key), plainValue(member)]));
}

/**
 * Whether `plainValue` would not change a value, judged from its JSON in one test: ASCII without escaped control
 * characters. False means unknown.
 */
export function isPlainJson(json: string): boolean {
  return !/[^ -~]|\\[ubf]/.test(json);
}
