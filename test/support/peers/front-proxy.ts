// A proxy in front of several servers, for tests: round robin, the next one where one does not answer; and faults.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A port of this machine's loopback, or a socket file. */
type Target = number | { readonly path: string };

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  halfOpen: boolean;
}

export class FrontProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #targets: readonly Target[];
  readonly #pairs = new Set<Pair>();
  #turn = 0;

  private constructor(targets: readonly Target[]) {
    this.#targets = targets;
    this.#server = createServer((near) => this.#accept(near));
  }

  static async start(targets: readonly Target[]): Promise<FrontProxy> {
    const proxy = new FrontProxy(targets);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Present connections receive nothing any more, not even the other's end: half-open,
   * as a lost machine leaves them.
   */
  stall(): void {
    for (const pair of this.#pairs) {
      pair.halfOpen = true;
      pair.near.unpipe(pair.far).resume();
      pair.far.unpipe(pair.near).resume();
    }
  }

  /** Connections that stand now are reset. */
  cut(): void {
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.destroy();
  }

  #accept(near: Socket): void {
    near.on('error', () => undefined);
    near.pause();
    const first = this.#turn++;
    const attempt = (n: number): void => {
      const target = this.#targets[(first + n) % this.#targets.length];
      if (n >= this.#targets.length || target === undefined) return void near.destroy();
      const far = connect(typeof target === 'number' ? { port: target, host: '127.0.0.1' } : target);
      const next = (): void => attempt(n + 1);
      far.once('error', next);
      far.once('connect', () => {
        far.off('error', next).on('error', () => near.destroy());
        this.#join(near, far);
      });
    };
    attempt(0);
  }

  #join(near: Socket, far: Socket): void {
    const pair: Pair = { near, far, halfOpen: false };
    this.#pairs.add(pair);
    const closed = (other: Socket): void => {
      if (!pair.halfOpen) other.destroy();
      if (near.destroyed && far.destroyed) this.#pairs.delete(pair);
    };
    near.once('close', () => closed(far));
    far.once('close', () => closed(near));
    near.pipe(far);
    far.pipe(near);
    near.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }
}
