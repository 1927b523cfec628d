// Builds the pages before the tests, where they are not built from these sources already.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export default async function setup(): Promise<void> {
  const script = path.resolve(import.meta.dirname, '../../scripts/ui.ts');
  // In a process of its own, without the test runner's mode: that would build the libraries for development.
  const { NODE_ENV: _, ...env } = process.env;
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--if-stale'], { env });
  process.stderr.write(stderr);
}
