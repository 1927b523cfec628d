// The table of long test files names files that exist, each once.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { longFiles } from '../support/long-files.ts';

it('the table of long files has a row for no file twice, and for none that is gone', () => {
  expect(longFiles.filter((name, i) => longFiles.indexOf(name) !== i)).toEqual([]);
  expect(longFiles.filter((name) => !existsSync(resolve(import.meta.dirname, '..', name)))).toEqual([]);
});
