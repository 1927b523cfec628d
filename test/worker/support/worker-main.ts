// The program that the tests' worker processes run: settings come from its environment alone.
import { hostname } from 'node:os';
import { runWorker } from '../../../src/worker/main.ts';

process.exitCode = await runWorker({
  flags: {},
  env: process.env,
  cwd: process.cwd(),
  hostname: hostname(),
  version: '1.2.0',
  logFormat: 'json',
  fetch,
  signals: process,
});
