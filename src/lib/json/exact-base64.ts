// Base64 in its one exact spelling: so many bytes, and no second text that means the same.

/** @returns undefined for what is not the base64 of exactly so many bytes, padding and unused bits included */
export function exactBase64(text: string, bytes: number): Buffer | undefined {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text ? decoded : undefined;
}
