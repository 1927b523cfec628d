// The effect of signals on a program that runs until it is stopped.
import path from 'node:path';
import { expect, it } from 'vitest';
import { Program } from '../../support/process/program.ts';

const stoppable = path.join(import.meta.dirname, 'processes', 'stoppable.ts');

it('a second signal ends it at once, but a first signal delivered twice by terminal and parent does not', async () => {
  await using program = new Program({ args: [], cwd: '/', command: [process.execPath, stoppable], input: 'open' });
  await program.printed(/started/);
  program.signal('SIGINT');
  await program.printed(/Stopping; press Ctrl-C again to stop at once/);
  program.signal('SIGINT');
  program.write('499\n');
  await program.printed(/it is 499/);
  program.signal('SIGINT');
  program.write('500\n');
  await program.printed(/it is 500/);
  program.signal('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 130 });
  expect(program.out.trim().split('\n').at(-1)).toBe('killed');
});
