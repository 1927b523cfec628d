// Splits bytes into lines as they come, without decoding them: what is hashed is what is there.

export interface ByteLine {
  /** Without its line break. */
  readonly bytes: Buffer;
  /** False for what stands after the last line break. */
  readonly complete: boolean;
}

const lineBreak = 0x0a;

/** The lines of a source of bytes; what stands after the last line break comes last, as a line that is not whole. */
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
    // Copied: the source may use its buffer again.
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), complete: false };
}
