// The program `switchyard`: passes the process to the command line and exits with its code.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { hideSecrets } from './cli/process/hide-secrets.ts';
import type { CliIo } from './cli/core/io.ts';
import { holdYoungHeap } from './cli/process/young-heap.ts';

/** Under npm the process runs in the package's folder and INIT_CWD names the user's; elsewhere INIT_CWD may be stale. */
function userFolder(root: string): string {
  const { INIT_CWD: initial, npm_lifecycle_event: script } = process.env;
  const here = process.cwd();
  return script !== undefined && initial !== undefined && here === root ? initial : here;
}

async function main(): Promise<void> {
  // Before anything else: until then other processes can read the secrets.
  hideSecrets(process.env);
  holdYoungHeap();
  const [{ runCommandLine }, { readVersion }] = await Promise.all([
    import('./cli/program.ts'),
    import('./cli/program.ts'),
  ]);
  const entry = fileURLToPath(import.meta.url);
  const root = path.resolve(path.dirname(entry), '..');
  let ignoresBrokenPipe = false;
  const io: CliIo = {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: userFolder(root),
    out: (content) => void process.stdout.write(content),
    err: (content) => void process.stderr.write(content),
    terminal: { out: process.stdout.isTTY, err: process.stderr.isTTY },
    readStdin: () => text(process.stdin),
    fetch,
    now: Date.now,
    randomBytes,
    hostname: hostname(),
    version: await readVersion(root),
    root,
    entry,
    process,
    ignoreBrokenPipe: () => (ignoresBrokenPipe = true),
  };
  // The reader of our output may stop reading: `switchyard logs … | head`.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (ignoresBrokenPipe) return;
      if ('code' in error && error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
  process.exitCode = await runCommandLine(io);
}

await main();
