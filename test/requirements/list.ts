// Prints the requirements, one a line: `node test/requirements/list.ts [phase] [missing]`.
import path from 'node:path';
import { requirementList } from './requirements.ts';
import { citationsOf } from './citations.ts';
import { phases } from './requirement.ts';

const usage = `usage: list.ts [phase] [missing]
  missing   only those that no test cites
  phases:
${Object.entries(phases)
  .map(([phase, what]) => `    ${phase.padEnd(14)}  ${what}`)
  .join('\n')}
`;

/** The lines to print for these arguments; undefined when an argument is neither a phase nor `missing`. */
async function lines(args: readonly string[]): Promise<string[] | undefined> {
  if (args.some((word) => word !== 'missing' && !Object.hasOwn(phases, word))) return undefined;
  const wanted = args.filter((word) => word !== 'missing');
  const cited = args.includes('missing')
    ? new Set((await citationsOf(path.resolve(import.meta.dirname, '../..'))).map(({ id }) => id))
    : new Set<string>();
  return requirementList
    .filter(({ id, phase }) => !cited.has(id) && (wanted.length === 0 || wanted.includes(phase)))
    .map(({ id, phase, text }) => `${id.padEnd(15)} ${phase.padEnd(14)} ${text}`);
}

const output = await lines(process.argv.slice(2));
if (output === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  process.stdout.write(output.map((line) => `${line}\n`).join(''));
}
