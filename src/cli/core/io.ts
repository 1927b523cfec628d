// The command line's access to the process and the network, passed to every command.

export interface CliIo {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The user's working folder; under npm it differs from the process's own. */
  readonly cwd: string;
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  /** Whether `out` and `err` are terminals. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  readonly readStdin: () => Promise<string>;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly hostname: string;
  readonly version: string;
  /** The folder of this package. */
  readonly root: string;
  /** The file that Node runs for the command line; `up` starts it again as a worker. */
  readonly entry: string;
  readonly process: NodeJS.Process;
  /** Ignores closed output from now on: a long-running command does not end with the reader of its log. */
  readonly ignoreBrokenPipe: () => void;
}
