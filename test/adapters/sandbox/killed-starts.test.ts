// A start that ends before the tool has begun leaves nothing, whether the service is killed or the caller leaves.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BubblewrapSandbox } from '../../../src/adapters/sandbox/sandbox.ts';
import { limitsFor } from '../../../src/domain/model/tool-limits.ts';
import { until } from '../../support/until.ts';

const runner = path.resolve(import.meta.dirname, 'processes/tool-runner.ts');

/** In the command line or the environment of each process of a run, and of no other's. */
let word: string;
let folder: string;
beforeEach(async () => {
  word = `start-${randomBytes(6).toString('hex')}`;
  folder = await mkdtemp(path.join(tmpdir(), `${word}-`));
  // The tool's own user must get there.
  await chmod(folder, 0o755);
});
afterEach(async () => {
  for (const pid of await left()) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** A bubblewrap that carries the word, by a shell's lines before it. */
async function marked(lines = ''): Promise<string> {
  const file = path.join(folder, 'bwrap');
  await writeFile(file, `#!/bin/sh\n${lines}\nexec bwrap --setenv WORD ${word} "$@"\n`);
  await chmod(file, 0o755);
  return file;
}

/** All processes with the word but the service itself; what only waits for its parent's notice is dead. */
async function left(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [line, environment, stat] = [
        await read(pid, 'cmdline'),
        await read(pid, 'environ'),
        await read(pid, 'stat'),
      ];
      const isIts = (line.includes(word) && !line.includes('runner.ts')) || environment.includes(word);
      return isIts && !/\) [ZX]/.test(stat) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

function start(bwrap: string): ChildProcess {
  const args = [runner, '#!/bin/sh\nexec sleep 300\n', word, bwrap];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function killed(service: ChildProcess): Promise<void> {
  service.kill('SIGKILL');
  if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
}

/** The files that stay. */
async function survivors(): Promise<number[]> {
  await until('nothing is left', async () => (await left()).length === 0).catch(() => undefined);
  return left();
}

/**
 * Holds bubblewrap, in all starts but the trial's, where it has made its child and not let it go: there the child waits
 * for a word from bubblewrap alone, and learns of nobody's death.
 */
const held = (): string => `case "$*" in *'TOOL_ID trial'*) ;; *)
  mkfifo -m 666 /tmp/${word}.$$; exec 9<>/tmp/${word}.$$; rm /tmp/${word}.$$; set -- --userns-block-fd 9 "$@" ;; esac`;

/** Bubblewrap and its child, as two of the same command line. */
async function isHeld(): Promise<boolean> {
  const lines = await Promise.all(
    (await left()).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.startsWith('bwrap') && line.includes('--userns-block-fd')).length === 2;
}

it('kill -9 of the service leaves nothing where bubblewrap has not yet let its child go', async () => {
  const service = start(await marked(held()));
  try {
    await until('bubblewrap is held', isHeld);
  } finally {
    await killed(service);
  }
  expect(await survivors()).toEqual([]);
});

it('a caller who leaves at that moment leaves nothing either', async () => {
  const sandbox = new BubblewrapSandbox({
    bwrap: await marked(held()),
    allowedPaths: [],
    hidden: [],
    runsAtOnce: 1,
    tunnels: { open: () => Promise.reject(new Error('nowhere')) },
    elapsedMs: () => performance.now(),
    log: () => undefined,
  });
  using place = await sandbox.acquireSlot('default');
  const caller = new AbortController();
  const run = place.run({
    toolId: word,
    version: '1.0.0',
    content: Buffer.from('#!/bin/sh\nexec sleep 300\n'),
    input: '{}',
    limits: limitsFor({ toolId: word, version: '1.0.0', sha256Hash: '', signature: '' }, 'default'),
    signal: caller.signal,
  });
  await until('bubblewrap is held', isHeld);
  caller.abort();
  expect(await run).toMatchObject({ killedBy: 'cancelled' });
  expect(await survivors()).toEqual([]);
});

const kills = process.env['SCALE'] === 'full' ? 25 : 8;

it('kill -9 at any moment of a start leaves nothing', async () => {
  const bwrap = await marked();
  for (let i = 0; i < kills; i++) {
    const service = start(bwrap);
    // Half of them within the trial, half within a run; no moment in particular: the point is that each is safe.
    if (i % 2 === 0) await until('it begins', async () => (await left()).length > 0);
    else await once(service.stdout ?? service, 'data');
    await new Promise((resolve) => {
      setTimeout(resolve, Math.random() * 120);
    });
    await killed(service);
    expect(await survivors()).toEqual([]);
  }
}, 300_000);
