// The Redis of the bench: a process of its own that syncs each write to disk, where redis-server is on the path.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BenchRedis extends AsyncDisposable {
  readonly pid: number;
  /** Path of its Unix socket. */
  readonly socket: string;
}

const startTimeoutMs = 10_000;

/**
 * @param port of loopback, beside the Unix socket; 0: none
 * @returns undefined when there is no redis-server on the path
 */
export async function openBenchRedis(port = 0): Promise<BenchRedis | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'switchyard-bench-redis-'));
  const socket = join(dir, 'redis.sock');
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    unixsocket: socket,
    dir,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
  };
  const server = spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const clean = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    await once(server, 'spawn');
  } catch {
    await clean();
    return undefined;
  }
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await exited;
    await clean();
  };
  const ready = Promise.withResolvers<void>();
  const timer = setTimeout(() => ready.reject(new Error('redis-server did not start')), startTimeoutMs);
  let output = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (/ready to accept connections/i.test(output)) ready.resolve();
  });
  try {
    await ready.promise;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { pid: server.pid ?? 0, socket, [Symbol.asyncDispose]: stop };
}
