// npm run bench:ui [-- --write]: the pages in Chromium, with many tasks, a long log and a large diff. `--write` writes the
// result into its section of docs/PERFORMANCE.md.
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { BenchProcess } from './child.ts';
import { openBenchDatabase } from './database.ts';
import { machineFacts } from './measure/machine.ts';
import { openBenchBrowser } from './measure/ui/browser.ts';
import { measurePages, type UiFigures } from './measure/ui/pages.ts';
import { seedPages, type UiSeedSize } from './measure/ui/seed.ts';
import { writeSection } from './report/page.ts';
import { uiMarkdown, uiText } from './report/ui.ts';

const usage =
  'npm run bench:ui -- [--write] [--rounds 5] [--tasks 10000] [--lines 100000] [--files 5000]\n' +
  'CHROMIUM_BIN names another browser than /usr/bin/chromium. Build the pages before: npm run build:ui.';

async function run(size: UiSeedSize, rounds: number): Promise<UiFigures> {
  const [load = 0] = loadavg();
  await using closing = new AsyncDisposableStack();
  const database = closing.use(await openBenchDatabase());
  const service = closing.use(new BenchProcess('serve'));
  const token = randomBytes(24).toString('base64url');
  const opening = { login: database.service, tokens: { pages: token } };
  const { url } = await service.request('open', opening, z.object({ url: z.string() }));
  const seed = closing.use(await seedPages({ url, token, log: logLine }, size));
  const program = process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium';
  const browser = closing.use(await openBenchBrowser(program, url, token));
  return { size, load, ...(await measurePages({ url, browser, seed, rounds, log: logLine })) };
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    tasks: { type: 'string', default: '10000' },
    lines: { type: 'string', default: '100000' },
    files: { type: 'string', default: '5000' },
    help: { type: 'boolean', default: false },
  },
});
const [rounds = 0, tasks = 0, lines = 0, files = 0] = [values.rounds, values.tasks, values.lines, values.files].map(
  Number,
);
if (values.help || ![rounds, tasks, lines, files].every((value) => Number.isInteger(value) && value > 0)) {
  logLine(usage);
  process.exit(values.help ? 0 : 2);
}
const figures = await run({ tasks, lines, files }, rounds);
const facts = machineFacts('bench:ui', process.argv.slice(2), new Date());
process.stdout.write(uiText(figures, facts));
if (values.write) {
  await writeSection('ui', uiMarkdown(figures, facts));
  logLine('wrote docs/PERFORMANCE.md');
}
