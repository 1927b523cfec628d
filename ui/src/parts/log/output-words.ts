// The words that the view of output needs.

export interface OutputWords {
  readonly output: string;
  readonly wrap: string;
  readonly plainText: string;
  readonly plainTextNote: string;
  readonly download: string;
  readonly addresses: (line: number) => string;
  readonly openAddress: (address: string) => string;
  readonly times: string;
  readonly wordsOnly: string;
  readonly search: string;
  readonly searchIn: string;
  readonly next: string;
  readonly previous: string;
  readonly close: string;
  readonly follow: string;
  readonly copyLine: string;
  readonly top: string;
  readonly empty: string;
  readonly showWhole: string;
  readonly errorStream: string;
  readonly loading: string;
  readonly noHits: string;
  readonly searching: string;
  readonly searchFailed: string;
  readonly hits: (current: number, all: number) => string;
  readonly newLines: (count: number) => string;
  readonly status: (count: number, last: string) => string;
  readonly lineLink: (line: number) => string;
  readonly fold: (tool: string) => string;
}
