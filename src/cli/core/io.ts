// What the command line touches of the world, as one argument of every command.

export interface CliIo {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The folder that the user stands in: under npm not the process's own. */
  readonly cwd: string;
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  /** Whether a person reads: `out` and `err` are terminals. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  readonly readStdin: () => Promise<string>;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly hostname: string;
  readonly version: string;
  /** The folder of this package. */
  readonly root: string;
  /** The file that Node runs for the command line, to start it again as a worker. */
  readonly entry: string;
  readonly process: NodeJS.Process;
  /** From now on nobody has to take what is printed: what runs until it is stopped does not end with its log's reader. */
  readonly ignoreBrokenPipe: () => void;
}
