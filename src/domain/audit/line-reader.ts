// Reads the lines of a chain's file in order, a portion at a time, and continues where it stopped, so that a copy that
// is far behind does not read the whole file for each portion.
import { byteLines } from '../../lib/text/byte-lines.ts';
import type { ChainFile } from '../ports/audit-chain.ts';
import { parseLine, type ParsedLine } from './parse-line.ts';

export class LineReader implements AsyncDisposable {
  readonly #file: Pick<ChainFile, 'read'>;
  #lines: AsyncGenerator<ParsedLine, void, undefined> | undefined;
  /** The sequence number of the next line of `#lines`. */
  #next = 0;

  constructor(file: Pick<ChainFile, 'read'>) {
    this.#file = file;
  }

  /**
   * The lines from this number on, in order without a gap, at most `limit`; none when the file has no such line, or
   * only a broken one. One call at a time.
   * @throws the system's error
   */
  async readFrom(seq: number, limit: number): Promise<ParsedLine[]> {
    const continues = this.#lines !== undefined && this.#next === seq;
    if (!continues) await this[Symbol.asyncDispose]();
    const lines = await this.#readPortion(seq, limit);
    // The open iterator ended where the file ended when it was opened; the file may have grown.
    return lines.length === 0 && continues ? this.#readPortion(seq, limit) : lines;
  }

  async #readPortion(seq: number, limit: number): Promise<ParsedLine[]> {
    const found: ParsedLine[] = [];
    this.#lines ??= validLines(this.#file, seq);
    this.#next = seq;
    while (found.length < limit) {
      const { done, value } = await this.#lines.next();
      if (done === true) {
        this.#lines = undefined;
        break;
      }
      if (value.entry.seq !== this.#next) continue;
      found.push(value);
      this.#next += 1;
    }
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const lines = this.#lines;
    this.#lines = undefined;
    await lines?.return();
  }
}

async function* validLines(file: Pick<ChainFile, 'read'>, seq: number): AsyncGenerator<ParsedLine, void, undefined> {
  for await (const segment of file.read({ fromSeq: seq })) {
    for await (const { bytes, complete } of byteLines(segment.bytes)) {
      const read = complete ? parseLine(bytes) : 'torn';
      if (typeof read !== 'string') yield read;
    }
  }
}
