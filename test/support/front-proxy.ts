// A TCP proxy in front of several replicas, for tests: round robin, the next one where one does not answer; and faults.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class FrontProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #ports: readonly number[];
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #turn = 0;

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#server = createServer((near) => this.#accept(near));
  }

  /** @param ports of this machine's loopback */
  static async start(ports: readonly number[]): Promise<FrontProxy> {
    const proxy = new FrontProxy(ports);
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

  /** Connections that stand now pass nothing on any more, and nobody is told: half-open, as a lost machine leaves them. */
  stall(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.pause();
      far.pause();
    }
  }

  /** Connections that stand now are reset. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  #accept(near: Socket): void {
    near.on('error', () => undefined);
    near.pause();
    const first = this.#turn++;
    const attempt = (n: number): void => {
      const port = this.#ports[(first + n) % this.#ports.length];
      if (n >= this.#ports.length || port === undefined) return void near.destroy();
      const far = connect({ port, host: '127.0.0.1' });
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
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const gone = (): void => void this.#pairs.delete(pair);
    near.once('close', () => far.destroy()).once('close', gone);
    far.once('close', () => near.destroy());
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
