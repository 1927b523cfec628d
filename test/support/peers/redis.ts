// A real Redis for tests, on a loopback port of its own that it keeps: started, frozen, killed, started again.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from 'redis';
import { findPeer } from './peer-program.ts';
import { freePort } from '../process/program.ts';
import { suspendProcess } from '../process/suspend-process.ts';
import { until } from '../until.ts';

/** As `findPeer` finds it. */
export function findRedis(): string | undefined {
  return findPeer({ name: 'Redis', variable: 'REDIS_BIN', programs: ['redis-server'], aptPackage: 'redis-server' });
}

type Client = ReturnType<typeof clientOf>;

function clientOf(url: string) {
  return createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 2_000 } });
}

export class TestRedis implements AsyncDisposable {
  readonly #program: string;
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(program: string, port: number) {
    this.#program = program;
    this.port = port;
  }

  /** Resolves once it answers. */
  static async start(program: string): Promise<TestRedis> {
    const redis = new TestRedis(program, await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it where it does not run; nothing that it held before is there. */
  async restart(): Promise<void> {
    if (this.#child !== undefined) return;
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#child = spawn(this.#program, [...settings, '--dir', '/'], { stdio: 'ignore' });
    await until('redis answers', () =>
      this.with((client) => client.ping()).then(
        () => true,
        () => false,
      ),
    );
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await gone;
  }

  /** Its connections stay open and answer nothing. */
  async suspend(): Promise<void> {
    if (this.#child?.pid !== undefined) await suspendProcess(this.#child.pid);
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** A connection for as long as `work` takes. */
  async with<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = clientOf(this.url);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  }

  /** Every message of a channel from now on, until it is disposed of. */
  async listen(channel: string): Promise<AsyncDisposable & { readonly received: readonly string[] }> {
    const received: string[] = [];
    const client = clientOf(this.url);
    client.on('error', () => undefined);
    await client.connect();
    await client.subscribe(channel, (message) => received.push(message));
    return {
      received,
      [Symbol.asyncDispose]: () => {
        client.destroy();
        return Promise.resolve();
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
