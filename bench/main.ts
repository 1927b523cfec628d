// npm run bench: compares durable submits, whole cycles and idle starts of the service with peers and bounds, in one
// alternated run on one machine. `--write` writes the result into its section of docs/PERFORMANCE.md.
import { parseArgs } from 'node:util';
import { BenchProcess } from './child.ts';
import type { BenchSetup, Size } from './implementation.ts';
import { openA2a } from './implementations/a2a.ts';
import { openEcho, openGrouped, openInsert, openPost, openStatementCycle } from './implementations/bounds.ts';
import { openPipelineShare } from './implementations/pipeline.ts';
import { openPeers } from './implementations/peers.ts';
import { openSwitchyard } from './implementations/service.ts';
import { openTools } from './implementations/tools.ts';
import { openBenchDatabase } from './database.ts';
import { machineFacts } from './measure/machine.ts';
import { runAlternated, type BenchRun } from './measure/run.ts';
import { markdownReport } from './report/markdown.ts';
import { writeSection } from './report/page.ts';
import { textReport } from './report/text.ts';
import { startBenchService } from './service.ts';

const usage = `npm run bench -- [--write] [--rounds 5] [--seconds 2] [--only service,echo,grouped,insert,steps,post,peers,a2a,share,tools] [--profile DIR]`;

interface BenchOptions {
  readonly size: Size;
  readonly only: ReadonlySet<string>;
  readonly write: boolean;
  readonly profileDir: string | undefined;
}

/** @throws Error for an argument that is not in the usage */
function parseOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      write: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string', default: 'service,echo,grouped,insert,steps,post,peers,a2a,share,tools' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const rounds = Number(values.rounds);
  const roundMs = Number(values.seconds) * 1000;
  if (!(rounds >= 1 && roundMs > 0)) throw new Error(usage);
  return {
    size: { connections: 64, rounds, roundMs, warmUpRounds: 3, cycleOperations: 3_000, idleOperations: 40 },
    only: new Set(values.only.split(',')),
    write: values.write,
    profileDir: values.profile,
  };
}

async function runBench({ size, only, profileDir }: BenchOptions): Promise<BenchRun> {
  await using closing = new AsyncDisposableStack();
  const opening: BenchSetup = { size, closing, start: (script, argv) => closing.use(new BenchProcess(script, argv)) };
  const database = closing.use(await openBenchDatabase());
  const profile = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const service = await startBenchService(opening, database, profile);
  const serviceUnderTest = await openSwitchyard(opening, database, service);
  const otherImplementations = [
    ...(only.has('echo') ? [await openEcho(opening)] : []),
    ...(only.has('grouped') ? [await openGrouped(opening, database)] : []),
    ...(only.has('insert') ? [await openInsert(opening, database)] : []),
    ...(only.has('peers') ? await openPeers(opening, database, logLine) : []),
    ...(only.has('a2a') ? await openA2a(opening, database, service) : []),
    ...(only.has('share') ? [await openPipelineShare(opening, database)] : []),
    ...(only.has('tools') ? await openTools(opening, database, service) : []),
    ...(only.has('post') ? [await openPost(opening)] : []),
    ...(only.has('steps') ? [await openStatementCycle(opening, database)] : []),
  ];
  return await runAlternated(
    { ...service, idle: (operations) => serviceUnderTest.idle(operations) },
    [...(only.has('service') ? serviceUnderTest.implementations : []), ...otherImplementations],
    size,
    logLine,
  );
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

const benchOptions = parseOptions(process.argv.slice(2));
if (benchOptions === 'help') {
  logLine(usage);
  process.exit(0);
}
const result = await runBench(benchOptions);
const facts = machineFacts('bench', process.argv.slice(2), new Date());
process.stdout.write(textReport(result, facts));
if (benchOptions.write) {
  await writeSection('tasks', markdownReport(result, facts));
  logLine('wrote docs/PERFORMANCE.md');
}
