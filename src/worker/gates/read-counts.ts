// Executed tests in the output of a gate, by whichever runner printed it. runs-10.
import { readCargo, readGo, readPytest } from './counts/language-runners.ts';
import { readNodeTest } from './counts/node-test.ts';
import { toLines, type CountReader, type ReadTests } from './counts/output-lines.ts';
import { readJunit, readTap } from './counts/report-formats.ts';
import { readJest, readMocha, readVitest } from './counts/script-runners.ts';

/** Those whose summary is unmistakable come first. */
const readers: readonly CountReader[] = [
  readNodeTest,
  readVitest,
  readJest,
  readCargo,
  readPytest,
  readGo,
  readMocha,
  readJunit,
  readTap,
];
const maxNames = 50;
const maxNameChars = 300;

/** @returns undefined where no reader knows the output */
export function readTests(output: string): ReadTests | undefined {
  const lines = toLines(output);
  for (const read of readers) {
    const found = read(lines);
    if (found === undefined) continue;
    const names = [...new Set(found.failed)].slice(0, maxNames).map((name) => name.slice(0, maxNameChars));
    return { counts: found.counts, failed: names };
  }
  return undefined;
}
