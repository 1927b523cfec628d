// The start of a command: every program starts with it, so libraries that only some commands use load with their use.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { run, sourceEntry, temporaryFolder } from '../../support/process/program.ts';

/** Prints the name of each package that the program loads. */
const observer = `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const name = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*\\/node_modules\\/)/.exec(url)?.[1];
    if (name !== undefined) process.stderr.write('loads ' + name + '\\n');
    return next(url, context);
  },
});
`;

it('a command loads no library of the service, the worker or the broker before it runs', async () => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'observer.mjs');
  await writeFile(file, observer);
  const command = [process.execPath, '--import', file, sourceEntry] as const;
  const { code, err } = await run(['--version'], { command, cwd: folder.path });
  expect(code).toBe(0);
  const loaded = new Set([...err.matchAll(/^loads (.+)$/gm)].map(([, name]) => name));
  // Flags, schemas of answers, and the client; ipaddr.js and canonicalize are one file each.
  const expected = ['canonicalize', 'commander', 'eventsource-parser', 'ipaddr.js', 'openapi-fetch', 'zod'];
  expect(loaded).toEqual(new Set(expected));
});
