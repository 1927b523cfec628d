// An HTTP proxy in front of one service, as networks put them: it can be pointed at another one, and refuse some paths.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export class ForwardingProxy implements AsyncDisposable {
  readonly #server: Server;
  #target: string;
  /** Calls of these paths are cut off before they reach the service. */
  refused: RegExp | undefined;
  /** The path of every call that came, refused ones too. */
  readonly calls: string[] = [];

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    server.on('request', (incoming, response) => this.#forward(incoming, response));
  }

  static async start(target: string, refused?: RegExp): Promise<ForwardingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const forwarder = new ForwardingProxy(server, target);
    forwarder.refused = refused;
    return forwarder;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the forwarder does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Cuts the present connections; later ones go to another service. */
  switchTo(target: string): void {
    this.#target = target;
    this.cut();
  }

  cut(): void {
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    this.calls.push(url);
    if (this.refused?.test(url) === true) return void response.destroy();
    const onward = request(`${this.#target}${url}`, { method, headers });
    const broken = (): void => void response.destroy();
    onward.on('error', broken);
    onward.on('response', (answer) => {
      answer.on('error', broken);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    incoming.on('error', () => onward.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}
