// A program that runs until it is stopped, with a clock that its standard input sets, and whose stop never ends.
import { createInterface } from 'node:readline';
import { runUntilStopped } from '../../../../src/cli/process/run-until-stopped.ts';

let now = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  now = Number(line);
  process.stdout.write(`it is ${now}\n`);
});

const io = { process, now: () => now, err: (text: string) => void process.stdout.write(text) };
process.exitCode = await runUntilStopped(io, () => {
  process.stdout.write('started\n');
  return Promise.resolve({
    stop: () => new Promise(() => undefined),
    kill: () => void process.stdout.write('killed\n'),
  });
});
