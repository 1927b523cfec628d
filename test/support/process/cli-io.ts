// Runs commands of the command line in this process, against a service of the test's own.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { CliIo } from '../../../src/cli/core/io.ts';
import { runCommandLine } from '../../../src/cli/program.ts';

const root = path.resolve(import.meta.dirname, '../../..');

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliContext {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stdin?: string;
}

/** The world of a command of the command line; nothing that it prints is kept. */
export function commandIo(args: readonly string[], { env = {}, cwd = root, stdin = '' }: CliContext = {}): CliIo {
  return {
    argv: args,
    env,
    cwd,
    out: () => undefined,
    err: () => undefined,
    terminal: { out: false, err: false },
    readStdin: () => Promise.resolve(stdin),
    fetch,
    now: Date.now,
    randomBytes,
    hostname: 'testhost',
    version: '1.2.0',
    root,
    entry: path.join(root, 'src', 'cli.ts'),
    process,
    ignoreBrokenPipe: () => undefined,
  };
}

/** Runs `switchyard …args` to its end. */
export async function command(args: readonly string[], place: CliContext = {}): Promise<Outcome> {
  const out: Buffer[] = [];
  let err = '';
  const io: CliIo = {
    ...commandIo(args, place),
    out: (content) => out.push(Buffer.from(content)),
    err: (text) => (err += text),
  };
  const code = await runCommandLine(io);
  return { code, out: Buffer.concat(out).toString(), err };
}
