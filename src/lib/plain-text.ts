// Text that somebody else wrote, without what a terminal or a reader would act upon and nobody would see.

/** Escape sequences of terminals: CSI, OSC (to its end), and the short ones. */
// oxlint-disable-next-line no-control-regex
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;
/** Controls but tab and line breaks; marks that turn the direction of writing, hide, or tag text invisibly. */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** Most text has none of it: one look decides. */
// oxlint-disable-next-line no-control-regex
const suspect = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u206f\ufeff\ufff9-\ufffb\udb40]/;

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
