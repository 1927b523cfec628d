// Makes UUIDs of version 7: sortable in time, unguessable in the rest. RFC 9562 §5.7.

export type MakeId = () => string;

/**
 * A maker of ids. Ids of one maker rise even within a millisecond (a 12-bit counter follows the time), so that
 * first come is first served; 62 bits are random.
 * @param now milliseconds since the epoch
 * @param random fills a buffer with random bytes
 */
export function uuid7Maker(now: () => number, random: (size: number) => Uint8Array): MakeId {
  let last = 0;
  let counter = 0;
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return () => {
    const time = now();
    if (time > last) {
      last = time;
      counter = 0;
    } else if (++counter > 0xfff) {
      last += 1;
      counter = 0;
    }
    if (used + 8 > pool.length) {
      pool = random(1024);
      used = 0;
    }
    const tail = Buffer.from(pool.subarray(used, used + 8));
    used += 8;
    tail[0] = (0x80 | ((tail[0] ?? 0) & 0x3f)) & 0xff;
    const head = last.toString(16).padStart(12, '0');
    const rest = tail.toString('hex');
    return `${head.slice(0, 8)}-${head.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`;
  };
}
