// Text that somebody else wrote, without what a terminal or a reader would act upon and nobody would see.

const [escape, bel, csi] = [0x1b, 0x07, 0x9b].map((code) => String.fromCharCode(code));
/** Sequences of terminals: CSI, OSC to its end, and the short ones. */
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
 * Controls but tab and line breaks; and format characters, which turn the direction of writing, hide or tag text. The
 * two that join letters stay: scripts and emoji need them.
 */
const unseen = /(?![\t\n\r])\p{Cc}|(?![\u200c\u200d])\p{Cf}/gu;
/** Most text has none of it: one look decides. */
const suspect = /(?![\t\n\r])\p{Cc}|(?![\u200c\u200d])\p{Cf}/u;

/** The text without control characters (tab and line breaks stay), terminal sequences, and direction marks. */
export function plainText(text: string): string {
  return suspect.test(text) ? text.replace(sequences, '').replace(unseen, '') : text;
}

/** A JSON value with each text in it plain, names too. */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [plainText(key), plainValue(member)]));
}

/**
 * Whether `plainValue` would leave a value as it is, told from its JSON in one look: ASCII without escapes of controls.
 * False says nothing.
 */
export function isPlainJson(json: string): boolean {
  return !/[^ -~]|\\[ubf]/.test(json);
}
