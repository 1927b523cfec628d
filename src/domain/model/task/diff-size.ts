// The size of a diff: how many files it changes, how many lines it adds and removes.

export interface DiffSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}
