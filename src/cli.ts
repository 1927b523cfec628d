// The program `switchyard`: gives the command line the world, and the world its exit code.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { hideSecrets } from './cli/process/hide-secrets.ts';
import type { CliIo } from './cli/core/io.ts';
import { holdYoungHeap } from './cli/process/young-heap.ts';

/** Under npm the process stands in the package's folder, and the user in INIT_CWD; elsewhere that name may be stale. */
function userFolder(root: string): string {
  const { INIT_CWD: initial, npm_lifecycle_event: script } = process.env;
  const here = process.cwd();
  return script !== undefined && initial !== undefined && here === root ? initial : here;
}

async function main(): Promise<void> {
  // Before anything else: until then the secrets show.
  hideSecrets(process.env);
  holdYoungHeap();
  const [{ runCommandLine }, { readVersion }] = await Promise.all([
    import('./cli/program.ts'),
    import('./cli/core/version.ts'),
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
  // Whoever reads our output may stop reading: `switchyard logs … | head`.
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
