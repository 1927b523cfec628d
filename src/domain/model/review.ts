// The noun review comment: what a person says about a line, a file or the whole of a task's changes.

export interface ReviewComment {
  /** Undefined: the comment is on the whole change. */
  readonly path?: string | undefined;
  readonly side?: 'new' | 'old' | undefined;
  /** Undefined: the comment is on the whole file. */
  readonly line?: number | undefined;
  /** The last line of a range. */
  readonly end_line?: number | undefined;
  /** The text of the lines, as the person saw it. */
  readonly quote?: string | undefined;
  readonly text: string;
}
