// Pieces of output become lines: a piece may hold many lines or a part of one.
import { cleanOutput, plainOf } from '../clean.ts';
import { sgrAfter } from './sgr.ts';

export type OutputStream = 'stdout' | 'stderr' | 'agent';

/** One piece of output as the service answers it. `at` is an ISO time where it is known. */
export interface OutputPiece {
  readonly seq: number;
  readonly stream: OutputStream;
  readonly text: string;
  readonly at?: string | undefined;
}

export interface OutputLine {
  /** The piece in which the line begins. */
  readonly seq: number;
  readonly at: string | undefined;
  readonly stream: OutputStream;
  /** Cleaned text with its SGR sequences. */
  readonly text: string;
  /** The SGR sequence in which the line begins. */
  readonly start: string;
  /** Cells of the line in a monospace type; an estimate where `isEven` is false. */
  readonly columns: number;
  /** Every character has the width of one cell. */
  readonly isEven: boolean;
  /** The name of the tool in `[name] subject`, the line by which an agent says what it calls. */
  readonly tool: string | undefined;
  /** The line begins where its piece begins, so the output can be cut before it. */
  readonly opensPiece: boolean;
}

interface OpenLine {
  raw: string;
  readonly seq: number;
  readonly at: string | undefined;
  stream: OutputStream;
  readonly opensPiece: boolean;
}

/** Characters that a line without an end may have; the rest of such a line is dropped. */
const longestLine = 1_000_000;
const overwriteLength = 10_000;
const even = /^[\t\n -~\u00A0-\u00AC\u00AE-\u024F]*$/;
const wide = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/gu;

export class LineSplitter {
  /** The uncleaned text of the first line that was split off. */
  firstRaw: string | undefined;
  #open: OpenLine | undefined;
  #start: string;
  #shown: { readonly raw: string; readonly line: OutputLine } | undefined;

  constructor(start = '') {
    this.#start = start;
  }

  /** A line without its line feed is there. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The lines that the pieces end. */
  split(pieces: readonly OutputPiece[]): OutputLine[] {
    const lines: OutputLine[] = [];
    for (const piece of pieces) {
      let from = 0;
      for (let end = piece.text.indexOf('\n'); end !== -1; end = piece.text.indexOf('\n', from)) {
        this.#add(piece, from, end);
        const line = this.#end();
        if (line !== undefined) lines.push(line);
        from = end + 1;
      }
      if (from < piece.text.length) this.#add(piece, from, piece.text.length);
    }
    return lines;
  }

  /** The line that has not ended, as it is now. */
  openLine(): OutputLine | undefined {
    if (this.#open === undefined) return undefined;
    if (this.#shown?.raw !== this.#open.raw) {
      this.#shown = { raw: this.#open.raw, line: toLine(this.#open, this.#start) };
    }
    return this.#shown.line;
  }

  /** One line of the open line and the text behind it, which was split off as `rest` before. */
  join(raw: string, rest: OutputLine): OutputLine {
    const open = this.#open ?? { raw: '', ...rest };
    this.firstRaw ??= open.raw + raw;
    return toLine({ ...open, raw: open.raw + raw, stream: joinedStream(open.stream, rest.stream) }, this.#start);
  }

  /** Puts the open line of an older splitter before the open line. */
  prefix(older: LineSplitter): void {
    if (this.#open === undefined || older.#open === undefined) return;
    this.#open = { ...older.#open, raw: older.#open.raw + this.#open.raw };
    this.#start = older.#start;
    this.#shown = undefined;
  }

  #add({ seq, at, stream, text }: OutputPiece, from: number, end: number): void {
    const open = (this.#open ??= { raw: '', seq, at, stream, opensPiece: from === 0 });
    if (from === end) return;
    open.stream = joinedStream(open.stream, stream);
    if (open.raw.length > overwriteLength) open.raw = withoutOverwritten(open.raw);
    open.raw += text.slice(from, Math.min(end, from + longestLine - open.raw.length));
  }

  #end(): OutputLine | undefined {
    if (this.#open === undefined) return undefined;
    const line = toLine(this.#open, this.#start);
    this.firstRaw ??= this.#open.raw;
    this.#start = sgrAfter(this.#start, line.text);
    this.#open = undefined;
    return line;
  }
}

/** A line to which errors were written is a line of errors. */
function joinedStream(one: OutputStream, other: OutputStream): OutputStream {
  return other === 'stderr' ? other : one;
}

function toLine({ raw, seq, at, stream, opensPiece }: OpenLine, start: string): OutputLine {
  const text = cleanOutput(raw);
  const shown = plainOf(text);
  const isEven = even.test(shown) && !shown.includes('\t');
  const tool = stream === 'agent' ? /^\[([\w.:/-]{1,60})\](?: |$)/.exec(shown)?.[1] : undefined;
  return { seq, at, stream, text, start, columns: isEven ? shown.length : cellsOf(shown), isEven, tool, opensPiece };
}

function cellsOf(text: string): number {
  const tabs = text.split('\t').length - 1;
  return text.length + tabs * 7 + (text.match(wide)?.length ?? 0);
}

/** A line that is written over and over (a progress bar) keeps its last text and the colours before it. */
function withoutOverwritten(raw: string): string {
  const last = raw.lastIndexOf('\r', raw.length - 2);
  if (last === -1) return raw;
  return sgrAfter('', cleanOutput(raw.slice(0, last))) + raw.slice(last + 1);
}
