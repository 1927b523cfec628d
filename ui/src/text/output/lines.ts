// The lines of a task's output, kept outside React: pieces come in, lines with number, stream and colours come out.
import { LineSplitter, type OutputLine, type OutputPiece } from './line-splitter.ts';

/** One answer of the service: pieces in the order of `seq`, and where they stand in the whole output. */
export interface OutputWindow {
  readonly pieces: readonly OutputPiece[];
  /** The number of the line in which the first piece begins, counted from 1. */
  readonly firstLine: number;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

const keptLines = 200_000;
/** Lines that are dropped at once, so that dropping is rare. */
const droppedLines = 20_000;

/**
 * Lines of output. At most 200,000 are kept: a live output drops its oldest, reading upwards drops the newest, and either end is
 * loaded again on demand. Listeners are called at most once for each call of `schedule`, which a page gives as
 * `requestAnimationFrame`, so a hidden tab is not called.
 */
export class OutputStore {
  readonly #schedule: (notify: () => void) => void;
  readonly #listeners = new Set<() => void>();
  #lines: OutputLine[] = [];
  #splitter = new LineSplitter();
  /** The uncleaned text of the first line: older pieces may end in its middle. */
  #firstRaw: string | undefined;
  #firstLine = 1;
  #firstKey = 0;
  #lastSeq = 0;
  /** The last piece that is known to exist, kept or not. */
  #newestSeq = 0;
  #missedLines = 0;
  #hasOlder = false;
  #hasNewer = false;
  #version = 0;
  #isScheduled = false;

  constructor(schedule: (notify: () => void) => void) {
    this.#schedule = schedule;
  }

  /** Lines that are kept, a last line without its line feed included. */
  get count(): number {
    return this.#lines.length + (this.#splitter.isOpen ? 1 : 0);
  }

  /** The number of the first kept line in the whole output. */
  get firstLine(): number {
    return this.#firstLine;
  }

  /** Older output is there and not kept. */
  get hasOlder(): boolean {
    return this.#hasOlder;
  }

  /** Newer output is there and not kept; live pieces are only counted until the window reaches the end again. */
  get hasNewer(): boolean {
    return this.#hasNewer;
  }

  /** Line feeds of live pieces that were not kept. */
  get missedLines(): number {
    return this.#missedLines;
  }

  /** The `seq` to ask older pieces before. */
  get firstSeq(): number {
    return this.line(0)?.seq ?? 0;
  }

  /** The `seq` to ask newer pieces after. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  line(index: number): OutputLine | undefined {
    return index < this.#lines.length
      ? this.#lines[index]
      : index === this.#lines.length
        ? this.#splitter.openLine()
        : undefined;
  }

  /** A name of the line that stays when lines come or go at either end. */
  keyOf(index: number): number {
    return this.#firstKey + index;
  }

  /** The index of a line of the whole output, or -1. */
  indexOf(number: number): number {
    const index = number - this.#firstLine;
    return index >= 0 && index < this.count ? index : -1;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Changes with the lines; for `useSyncExternalStore`. */
  readonly version = (): number => this.#version;

  /** Replaces all lines: the end of the output, or the pieces around a line. */
  show(window: OutputWindow): void {
    this.#splitter = new LineSplitter();
    this.#lines = [];
    this.#firstKey += 1_000_000_000;
    this.#firstLine = window.firstLine;
    this.#hasOlder = window.hasOlder;
    this.#firstRaw = undefined;
    this.#lastSeq = 0;
    this.#take(window.pieces);
    this.#reach(window.hasNewer);
    this.#changed();
  }

  /** Live pieces. Those that are there already are left out, so that a stream may be resumed too early. */
  append(pieces: readonly OutputPiece[]): void {
    if (this.#hasNewer) {
      for (const piece of pieces) this.#miss(piece);
    } else {
      this.#take(pieces);
      this.#dropOldest();
    }
    this.#changed();
  }

  /** Pieces behind the last kept one, loaded on demand. */
  extend({ pieces, hasNewer }: Pick<OutputWindow, 'pieces' | 'hasNewer'>): void {
    this.#take(pieces);
    this.#reach(hasNewer);
    this.#dropOldest();
    this.#changed();
  }

  /** Pieces before the first kept one, loaded on demand. */
  prepend({ pieces, firstLine, hasOlder }: Pick<OutputWindow, 'pieces' | 'firstLine' | 'hasOlder'>): void {
    const before = this.firstSeq;
    const fresh = pieces.filter(({ seq }) => this.count === 0 || seq < before);
    this.#hasOlder = hasOlder;
    if (fresh.length > 0) {
      const splitter = new LineSplitter();
      const older = splitter.split(fresh);
      if (splitter.isOpen) this.#joinFirst(splitter, older);
      this.#lines = [...older, ...this.#lines];
      this.#firstKey -= older.length;
      this.#firstLine = firstLine;
      this.#firstRaw = splitter.firstRaw;
      this.#lastSeq = Math.max(this.#lastSeq, fresh.at(-1)?.seq ?? 0);
      this.#dropNewest();
    }
    this.#changed();
  }

  #take(pieces: readonly OutputPiece[]): void {
    const fresh = pieces.filter(({ seq }) => seq > this.#lastSeq);
    const isFirst = this.#lines.length === 0;
    for (const line of this.#splitter.split(fresh)) this.#lines.push(line);
    if (isFirst) this.#firstRaw = this.#splitter.firstRaw;
    this.#lastSeq = fresh.at(-1)?.seq ?? this.#lastSeq;
    this.#newestSeq = Math.max(this.#newestSeq, this.#lastSeq);
  }

  #miss({ seq, text }: OutputPiece): void {
    if (seq <= this.#newestSeq) return;
    this.#newestSeq = seq;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#missedLines += 1;
  }

  /** The window reaches the end where the service says so and no piece is known behind it. */
  #reach(hasNewer: boolean): void {
    this.#hasNewer = hasNewer || this.#newestSeq > this.#lastSeq;
    if (!this.#hasNewer) this.#missedLines = 0;
  }

  /** The older output ends within the first kept line: both halves are one line. */
  #joinFirst(half: LineSplitter, older: OutputLine[]): void {
    const [first, ...rest] = this.#lines;
    if (first === undefined) {
      if (this.#splitter.isOpen) this.#splitter.prefix(half);
      else this.#splitter = half;
      return;
    }
    older.push(half.join(this.#firstRaw ?? first.text, first));
    this.#lines = rest;
    // The joined line keeps the key of the line that was there.
    this.#firstKey += 1;
  }

  #dropOldest(): void {
    if (this.#lines.length <= keptLines) return;
    const from = this.#lines.findIndex((line, index) => index >= droppedLines && line.opensPiece);
    if (from === -1) return;
    this.#lines = this.#lines.slice(from);
    this.#firstKey += from;
    this.#firstLine += from;
    this.#firstRaw = undefined;
    this.#hasOlder = true;
  }

  #dropNewest(): void {
    if (this.#lines.length <= keptLines) return;
    const from = this.#lines.findLastIndex((line, index) => index <= keptLines - droppedLines && line.opensPiece);
    const first = this.#lines[from];
    if (first === undefined || from === 0) return;
    this.#lines = this.#lines.slice(0, from);
    this.#splitter = new LineSplitter(first.start);
    this.#lastSeq = first.seq - 1;
    this.#hasNewer = true;
  }

  #changed(): void {
    // A component that renders for another reason sees the current lines, so their version is the current one.
    this.#version += 1;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
