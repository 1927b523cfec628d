// A run of a tool leaves nothing behind when the service is killed in its midst, and a tool inherits nothing of it.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../support/until.ts';

const runner = path.resolve(import.meta.dirname, 'processes/tool-runner.ts');

function start(source: string, extra: readonly 'pipe'[] = []): ChildProcess {
  return spawn(process.execPath, [runner, source], { stdio: ['ignore', 'pipe', 'inherit', ...extra] });
}

async function pidsWith(word: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line.includes(word) && !line.includes('runner.ts') ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

it('kill -9 of the service ends the tool, and what the tool tried to leave behind', async () => {
  const word = `left-${randomBytes(6).toString('hex')}`;
  // One in front, one in a session of its own that ignores all signals; both carry the word as their name.
  const source = `#!/usr/bin/python3
import ctypes, os, signal
libc = ctypes.CDLL(None)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        libc.prctl(1, 0)
        for s in range(1, 32):
            try: signal.signal(s, signal.SIG_IGN)
            except (OSError, ValueError): pass
        os.execvp('sleep', ['${word}', '300'])
    os._exit(0)
os.execvp('sleep', ['${word}', '300'])
`;
  const service = start(source);
  try {
    await until('both run', async () => (await pidsWith(word)).length === 2);
    service.kill('SIGKILL');
    await once(service, 'exit');
    await until('both are gone', async () => (await pidsWith(word)).length === 0);
    expect(await pidsWith(word)).toEqual([]);
  } finally {
    service.kill('SIGKILL');
    for (const pid of await pidsWith(word)) process.kill(pid, 'SIGKILL');
  }
});

it('descriptors that the service was started with lead nowhere in there', async () => {
  const source = `#!/bin/sh
for fd in /proc/self/fd/*; do readlink "$fd"; done; echo found me >&7 2>/dev/null; exit 0
`;
  const service = start(source, Array<'pipe'>(9).fill('pipe'));
  let text = '';
  service.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  let leaked = '';
  for (const stream of service.stdio.slice(3)) {
    if (stream !== null && stream !== undefined && 'read' in stream)
      stream.on('data', (chunk: Buffer) => (leaked += chunk.toString()));
  }
  await once(service, 'close');
  const { exitCode, stdout } = JSON.parse(text.split('\n')[1] ?? '');
  expect(exitCode).toBe(0);
  expect(leaked).toBe('');
  const leads = stdout
    .trim()
    .split('\n')
    .filter((each: string) => !each.startsWith('/proc/') && each !== '/dev/null');
  expect(leads).toHaveLength(3);
});
