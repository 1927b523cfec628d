// A policy server that lies, for faults that a real one does not have: each answer is what the test says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type FaultyAnswer = (response: ServerResponse, body: string) => void;

/** The answer of a real one. */
export function decision(allow: boolean): FaultyAnswer {
  return (response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ result: allow }));
  };
}

export class FaultyPolicyServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = new Set<Socket>();
  /** Bodies of all questions. */
  readonly requests: string[] = [];
  lie: FaultyAnswer = decision(true);

  static async start(): Promise<FaultyPolicyServer> {
    const lying = new FaultyPolicyServer();
    lying.#server.on('connection', (socket: Socket) => {
      lying.#sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => lying.#sockets.delete(socket));
    });
    lying.#server.listen(0, '127.0.0.1');
    await once(lying.#server, 'listening');
    return lying;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen');
    return `http://127.0.0.1:${address.port}/v1/data/switchyard/authz/allow`;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Cuts every connection, as a server that is restarted. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    this.requests.push(body);
    this.lie(response, body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
