// A small program that takes the lock of a DATA_DIR, prints the outcome, and holds the lock until its standard input ends.
import { createInterface } from 'node:readline';
import { lockDataDir } from '../../../../../src/adapters/postgres/embedded/process/data-lock.ts';
import { EmbeddedPostgresError } from '../../../../../src/adapters/postgres/embedded/process/error.ts';

const lines = createInterface({ input: process.stdin });
const ended = new Promise((resolve) => {
  lines.once('close', resolve);
});
// The first line of its input starts the race.
await new Promise((resolve) => {
  lines.once('line', resolve);
});
try {
  const lock = await lockDataDir(process.argv[2] ?? '');
  process.stdout.write(`${JSON.stringify({ event: 'locked' })}\n`);
  await ended;
  await lock.release();
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  process.stdout.write(`${JSON.stringify({ event: 'failed', code: error.code, message: error.message })}\n`);
}
