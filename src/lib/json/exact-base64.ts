// Strict base64 decoding: a fixed number of bytes, in the canonical spelling alone.

/** @returns undefined unless the text is canonical base64 (padding, unused bits zero) of exactly `bytes` bytes */
export function exactBase64(text: string, bytes: number): Buffer | undefined {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text ? decoded : undefined;
}
