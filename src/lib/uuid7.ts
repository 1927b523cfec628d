// Generates version 7 UUIDs: sortable by time, with random bits that cannot be guessed. RFC 9562 §5.7.

export type MakeId = () => string;

/** Random bytes fetched at once: one call per id would cost more than the rest of the id. */
const poolBytes = 8192;
/** Random hex digits per id. */
const digits = 16;

/**
 * A generator of ids. Its ids increase even within a millisecond (a 12-bit counter follows the time), so that sorting
 * by id keeps the order of creation; 62 bits are random.
 * @param now milliseconds since the epoch
 * @param random fills a buffer with random bytes
 */
export function uuid7Maker(now: () => number, random: (size: number) => Uint8Array): MakeId {
  let last = 0;
  let head = '';
  let counter = 0;
  /** Random hex digits not used yet, from `used` on. */
  let pool = '';
  let used = 0;
  return () => {
    const time = Math.max(now(), last);
    counter = time > last ? 0 : counter + 1;
    if (time > last || counter > 0xfff) {
      last = time > last ? time : last + 1;
      counter = 0;
      const hex = last.toString(16).padStart(12, '0');
      head = `${hex.slice(0, 8)}-${hex.slice(8)}`;
    }
    if (used === pool.length) {
      const bytes = random(poolBytes);
      pool = Buffer.from(bytes.buffer, bytes.byteOffset, poolBytes).toString('hex');
      used = 0;
    }
    const at = used;
    used += digits;
    const variant = '89ab'.charAt(Number.parseInt(pool.charAt(at), 16) & 3);
    return `${head}-7${counter.toString(16).padStart(3, '0')}-${variant}${pool.slice(at + 1, at + 4)}-${pool.slice(at + 4, at + digits)}`;
  };
}

/** True for the text of a UUID of any version. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
