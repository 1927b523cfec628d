// npm run bench:runs [-- --runs 200] [--write]: the cost of the director of runs. `--write` writes the result into its
// section of docs/PERFORMANCE.md.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { BenchProcess } from './child.ts';
import { openBenchDatabase } from './database.ts';
import { machineFacts } from './measure/machine.ts';
import { measureRuns, type RunFigures } from './measure/runs.ts';
import { writeSection } from './report/page.ts';
import { runsMarkdown, runsText } from './report/runs.ts';

const usage = 'npm run bench:runs -- [--write] [--runs 200] [--idle-seconds 30]';

async function run(waitingRuns: number, idleMs: number): Promise<RunFigures> {
  await using closing = new AsyncDisposableStack();
  const database = closing.use(await openBenchDatabase());
  const tokens = { steps: randomBytes(24).toString('base64url'), waiting: randomBytes(24).toString('base64url') };
  const service = closing.use(new BenchProcess('serve'));
  const { url } = await service.request('open', { login: database.service, tokens }, z.object({ url: z.string() }));
  return await measureRuns({
    database,
    service: { url, pid: service.pid },
    tokenOf: (tenant) => tokens[tenant],
    waitingRuns,
    idleMs,
    log: logLine,
  });
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    runs: { type: 'string', default: '200' },
    'idle-seconds': { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
});
const waitingRuns = Number(values.runs);
const idleMs = Number(values['idle-seconds']) * 1000;
if (values.help || !(Number.isInteger(waitingRuns) && waitingRuns >= 1 && idleMs > 0)) {
  logLine(usage);
  process.exit(values.help ? 0 : 2);
}
const figures = await run(waitingRuns, idleMs);
const facts = machineFacts('bench:runs', process.argv.slice(2), new Date());
process.stdout.write(runsText(figures, facts));
if (values.write) {
  await writeSection('runs', runsMarkdown(figures, facts));
  logLine('wrote docs/PERFORMANCE.md');
}
