// Reads the lines of a chain's file in order, a portion at a time, and goes on where it stopped: who is far behind must
// not read the whole chain again for each portion.
import { byteLines } from '../../lib/text/byte-lines.ts';
import type { ChainFile } from '../ports/store/audit-chain.ts';
import { readLine, type ReadLine } from './read-line.ts';

export class LineReader implements AsyncDisposable {
  readonly #file: Pick<ChainFile, 'read'>;
  #lines: AsyncGenerator<ReadLine, void, undefined> | undefined;
  /** What comes next from `#lines`. */
  #next = 0;

  constructor(file: Pick<ChainFile, 'read'>) {
    this.#file = file;
  }

  /**
   * The lines from this number on, one after the other without a gap, at most so many; none where the file has no such
   * line, or only a broken one. One call at a time.
   * @throws the system's error
   */
  async from(seq: number, most: number): Promise<ReadLine[]> {
    const goesOn = this.#lines !== undefined && this.#next === seq;
    if (!goesOn) await this[Symbol.asyncDispose]();
    const lines = await this.#portion(seq, most);
    // It had come to the end of what was there when it began.
    return lines.length === 0 && goesOn ? this.#portion(seq, most) : lines;
  }

  async #portion(seq: number, most: number): Promise<ReadLine[]> {
    const found: ReadLine[] = [];
    this.#lines ??= goodLines(this.#file, seq);
    this.#next = seq;
    while (found.length < most) {
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

async function* goodLines(file: Pick<ChainFile, 'read'>, seq: number): AsyncGenerator<ReadLine, void, undefined> {
  for await (const segment of file.read({ fromSeq: seq })) {
    for await (const { bytes, whole } of byteLines(segment.bytes)) {
      const read = whole ? readLine(bytes) : 'torn';
      if (typeof read !== 'string') yield read;
    }
  }
}
