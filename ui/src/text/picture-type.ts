// Whether bytes are a picture that is drawn, by their beginning: nothing else is ever given to an image.

const signatures = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
] as const;
const riff = [0x52, 0x49, 0x46, 0x46];

/** The type of a PNG, JPEG, GIF or WebP; undefined for all else, an SVG among it. */
export function pictureTypeOf(content: Uint8Array): string | undefined {
  const found = signatures.find(({ at, bytes }) => beginsAt(content, at, bytes));
  return found?.type === 'image/webp' && !beginsAt(content, 0, riff) ? undefined : found?.type;
}

function beginsAt(content: Uint8Array, at: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => content[at + index] === byte);
}
