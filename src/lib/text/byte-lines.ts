// Splits a byte stream into lines without decoding it, so that a hash covers the exact bytes.

export interface ByteLine {
  /** Without its line break. */
  readonly bytes: Buffer;
  /** False for bytes after the last line break. */
  readonly complete: boolean;
}

const lineBreak = 0x0a;

/** Yields each line. Bytes after the last line break are yielded last, as an incomplete line. */
export async function* byteLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<ByteLine, void, undefined> {
  let rest: Buffer[] = [];
  for await (const piece of source) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, from)) {
      const part = chunk.subarray(from, end);
      yield { bytes: rest.length === 0 ? part : Buffer.concat([...rest, part]), complete: true };
      rest = [];
      from = end + 1;
    }
    // A copy, for the source may reuse its buffer.
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), complete: false };
}
