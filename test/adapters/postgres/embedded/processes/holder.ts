// A small program that holds an embedded PostgreSQL until its standard input ends; tests kill it in all ways.
import { createInterface } from 'node:readline';
import { EmbeddedPostgresError } from '../../../../../src/adapters/postgres/embedded/process/error.ts';
import { startEmbeddedPostgres } from '../../../../../src/adapters/postgres/embedded/server.ts';

function printMessage(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

try {
  await using server = await startEmbeddedPostgres({
    dataDir: process.argv[2] ?? '',
    log: (line) => printMessage({ event: 'log', line }),
    env: process.env,
  });
  printMessage({ event: 'ready', pid: server.pid, superuser: server.superuser });
  const lines = createInterface({ input: process.stdin });
  await new Promise((resolve) => {
    lines.once('close', resolve);
  });
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  printMessage({ event: 'failed', code: error.code, message: error.message, remedy: error.remedy });
}
