// npm run bench:workers [-- --workers 10000] [--write]: the cost of connected workers for one replica. `--write` writes
// the result into its section of docs/PERFORMANCE.md.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { BenchProcess } from './child.ts';
import { openBenchDatabase } from './database.ts';
import { measureConnected, type ConnectedFigures, type MeasuredReplica } from './measure/connected.ts';
import { machineFacts } from './measure/machine.ts';
import { assertConnectionsAllowed } from './measure/open-files.ts';
import { connectedMarkdown, connectedText } from './report/connected.ts';
import { writeSection } from './report/page.ts';

const usage = 'npm run bench:workers -- [--write] [--workers 10000] [--idle-seconds 20]';

async function run(workers: number, idleMs: number): Promise<ConnectedFigures> {
  await assertConnectionsAllowed(workers);
  await using closing = new AsyncDisposableStack();
  const database = closing.use(await openBenchDatabase());
  const token = randomBytes(24).toString('base64url');
  const openReplica = async (): Promise<MeasuredReplica> => {
    const process = closing.use(new BenchProcess('serve', ['--expose-gc']));
    const opening = { login: database.service, tokens: { connected: token } };
    const { url } = await process.request('open', opening, z.object({ url: z.string() }));
    return { url, process };
  };
  const holders = [closing.use(new BenchProcess('load-clients')), closing.use(new BenchProcess('load-clients'))];
  return await measureConnected({ openReplica, token, database, holders, workers, idleMs, log: logLine });
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    workers: { type: 'string', default: '10000' },
    'idle-seconds': { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
const workers = Number(values.workers);
const idleMs = Number(values['idle-seconds']) * 1000;
if (values.help || !(Number.isInteger(workers) && workers >= 2 && idleMs > 0)) {
  logLine(usage);
  process.exit(values.help ? 0 : 2);
}
const figures = await run(workers, idleMs);
const facts = machineFacts('bench:workers', process.argv.slice(2), new Date());
process.stdout.write(connectedText(figures, facts));
if (values.write) {
  await writeSection('workers', connectedMarkdown(figures, facts));
  logLine('wrote docs/PERFORMANCE.md');
}
